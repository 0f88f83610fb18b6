// The data of the servers in Node, and their queries: the 50 newest phones of a brand, the
// advertised phones, the 100 phones of a seller, a role, and a new phone.
const Database = require('better-sqlite3')
const { createSecretKey } = require('node:crypto')

const BRANDS = 12
const SELLERS = 100
const PHONES = 10_000
const ADVERTISED = 160

const key = createSecretKey(Buffer.from('a secret of thirty-two bytes, ok'))
const email = (seller) => `seller${seller}@example.com`

const fields = ['brand', 'name', 'img', 'originalPrice', 'resalePrice', 'usedTime', 'condition', 'description',
  'sellerName', 'email', 'location', 'phone', 'postedOn', 'verified', 'advertised', 'booked', 'createdAt']

function open() {
  const db = new Database(process.env.FILE)
  db.pragma('journal_mode = WAL')
  // With NORMAL a commit can be lost if the machine fails. SecondRing waits for the disk.
  db.pragma(`synchronous = ${process.env.SYNC || 'NORMAL'}`)
  db.exec(`CREATE TABLE users (email TEXT PRIMARY KEY, role TEXT NOT NULL) STRICT;
    CREATE TABLE phones (id INTEGER PRIMARY KEY, brand INTEGER, name TEXT, img TEXT, originalPrice INTEGER,
      resalePrice INTEGER, usedTime TEXT, condition TEXT, description TEXT, sellerName TEXT, email TEXT,
      location TEXT, phone TEXT, postedOn TEXT, verified INTEGER, advertised INTEGER, booked INTEGER, createdAt TEXT) STRICT;
    CREATE INDEX ofBrand ON phones (brand, id); CREATE INDEX ofSeller ON phones (email, id);
    CREATE INDEX shown ON phones (advertised, booked, id);
    CREATE TABLE bookings (id INTEGER PRIMARY KEY, phone INTEGER, buyer TEXT) STRICT;`)
  const q = {
    brand: db.prepare('SELECT * FROM phones WHERE brand = ? ORDER BY id DESC LIMIT 50'),
    advertised: db.prepare('SELECT * FROM phones WHERE advertised = 1 AND booked = 0 ORDER BY id DESC LIMIT 200'),
    seller: db.prepare('SELECT * FROM phones WHERE email = ? ORDER BY id DESC LIMIT 100'),
    role: db.prepare('SELECT role FROM users WHERE email = ?'),
    phone: db.prepare('SELECT * FROM phones WHERE id = ?'),
    add: db.prepare(`INSERT INTO phones (${fields}) VALUES (${fields.map((f) => '@' + f)})`),
    claim: db.prepare('UPDATE phones SET booked = 1 WHERE id = ? AND booked = 0'),
    mark: db.prepare('UPDATE phones SET booked = 1 WHERE id = ?'),
    book: db.prepare('INSERT INTO bookings (phone, buyer) VALUES (?, ?)'),
  }
  db.transaction(() => {
    for (let s = 0; s < SELLERS; s++) db.prepare('INSERT INTO users VALUES (?, ?)').run(email(s), 'seller')
    for (let i = 0; i < PHONES; i++) q.add.run(phone(i))
  })()
  return { db, q, bookOnce: bookOnce(db, q), bookNaively: bookNaively(q) }
}

/** A phone whose JSON is as long as that of SecondRing. */
function phone(i, body = {}) {
  return { brand: i % BRANDS, name: `Phone ${i}`, img: `/images/demo/phone-${i % 140}.webp`, originalPrice: 700,
    resalePrice: 300 + (i % 97), usedTime: '2 years', condition: 'Good', sellerName: `Seller ${i % SELLERS}`,
    description: 'A phone in good order, with its box, a charger, and a case that has seen better days. '.repeat(3),
    email: email(i % SELLERS), location: 'Dhaka', phone: '01712345678', postedOn: '2026-01-02', verified: 1,
    advertised: i < ADVERTISED ? 1 : 0, booked: 0, createdAt: new Date().toISOString(), ...body }
}

/** Books a phone with a conditional update, in one transaction. */
const bookOnce = (db, q) => db.transaction((id, buyer) => {
  if (q.claim.run(id).changes === 0) return false
  q.book.run(id, buyer)
  return true
})

/** Reads the phone, waits for the event loop, as a database in the network would need, and then inserts the booking. */
const bookNaively = (q) => async (id, buyer) => {
  const found = q.phone.get(id)
  await new Promise((done) => setImmediate(done))
  if (found.booked) return false
  q.book.run(id, buyer)
  q.mark.run(id)
  return true
}

module.exports = { open, phone, key, email }
