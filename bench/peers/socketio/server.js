// Socket.IO, with WebSocket only. Every client gets every event.
const { createServer } = require('node:http')
const { Server } = require('socket.io')

const [host, port] = process.env.ADDR.split(':')
const http = createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    io.emit('bench', JSON.parse(Buffer.concat(parts)))
    response.writeHead(204).end()
  })
})
// The generator does not respond to pings.
const io = new Server(http, { transports: ['websocket'], pingInterval: 600_000, serveClient: false })
http.listen(Number(port), host)
