// Express with better-sqlite3, in the usual way. A booking first reads the phone and then writes it.
const express = require('express')
const jwt = require('jsonwebtoken')
const { open, phone, key, email } = require('./data')

const { q, bookNaively } = open()
const app = express()
app.use(express.json({ limit: '1mb' }))

const flags = ({ verified, advertised, booked, ...rest }) =>
  ({ ...rest, verified: verified === 1, advertised: advertised === 1, booked: booked === 1 })

app.get('/token', (_, response) => response.json({ token: jwt.sign({ email: email(0) }, key, { expiresIn: '1h' }) }))
app.get('/advertised', (_, response) => response.json(q.advertised.all().map(flags)))
app.use((request, response, next) => {
  const token = request.get('authorization')?.slice('Bearer '.length)
  try {
    request.user = jwt.verify(token, key, { algorithms: ['HS256'] })
  } catch {
    return response.status(401).json({ message: 'unauthorized access' })
  }
  next()
})
app.get('/brand/:id', (request, response) => response.json(q.brand.all(Number(request.params.id)).map(flags)))
app.get('/seller/:email', (request, response) => response.json(q.seller.all(request.params.email).map(flags)))
app.get('/role/:email', (request, response) => response.json({ isSeller: q.role.get(request.params.email)?.role === 'seller' }))
app.post('/phones', (request, response) => {
  const { name, resalePrice, originalPrice, description, brand } = request.body
  const added = q.add.run(phone(0, { name, resalePrice, originalPrice, description, brand, advertised: 0, email: request.user.email }))
  response.json({ acknowledged: true, insertedId: Number(added.lastInsertRowid) })
})
app.put('/book/:id', async (request, response) => {
  if (await bookNaively(Number(request.params.id), request.user.email)) return response.json({ acknowledged: true })
  response.status(409).json({ message: 'taken' })
})

const [host, port] = process.env.ADDR.split(':')
app.listen(Number(port), host)
