// Fastify with better-sqlite3, as its guide shows: a schema for each response, and a hook that reads the token.
const fastify = require('fastify')
const { open, phone, key, email } = require('./data')

const { q, bookOnce } = open()
const app = fastify({ logger: false, bodyLimit: 1 << 20 })
app.register(require('@fastify/jwt'), { secret: key.export() })

const text = { type: 'string' }
const whole = { type: 'integer' }
const shape = { type: 'object', properties: { id: whole, brand: whole, name: text, img: text, originalPrice: whole,
  resalePrice: whole, usedTime: text, condition: text, description: text, sellerName: text, email: text, location: text,
  phone: text, postedOn: text, verified: { type: 'boolean' }, advertised: { type: 'boolean' }, booked: { type: 'boolean' },
  createdAt: text } }
const list = { schema: { response: { 200: { type: 'array', items: shape } } } }

app.register(async (app) => {
  app.get('/token', async () => ({ token: app.jwt.sign({ email: email(0) }, { expiresIn: '1h' }) }))
  app.get('/advertised', list, async () => q.advertised.all())
  app.register(async (signedIn) => {
    signedIn.addHook('onRequest', async (request) => request.jwtVerify())
    signedIn.get('/brand/:id', list, async (request) => q.brand.all(Number(request.params.id)))
    signedIn.get('/seller/:email', list, async (request) => q.seller.all(request.params.email))
    signedIn.get('/role/:email', async (request) => ({ isSeller: q.role.get(request.params.email)?.role === 'seller' }))
    const body = { type: 'object', required: ['name', 'resalePrice', 'originalPrice', 'description'], properties: shape.properties }
    signedIn.post('/phones', { schema: { body } }, async (request) => {
      const { name, resalePrice, originalPrice, description, brand } = request.body
      const added = q.add.run(phone(0, { name, resalePrice, originalPrice, description, brand, advertised: 0, email: request.user.email }))
      return { acknowledged: true, insertedId: added.lastInsertRowid }
    })
    signedIn.put('/book/:id', async (request, reply) => {
      if (bookOnce(Number(request.params.id), request.user.email)) return { acknowledged: true }
      return reply.code(409).send({ message: 'taken' })
    })
  })
})

const [host, port] = process.env.ADDR.split(':')
app.listen({ host, port: Number(port) })
