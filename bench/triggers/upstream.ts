import { createServer } from 'node:http'

// Answers every GET with the flows of an editor; every so often there is one more, whose name goes round.
// `/asked` answers how often it was asked.
const [addMs = 5_000, names = 20, count = 50] = process.argv.slice(2).map(Number)
const flows: { id: string; type: string; label: string; info: string }[] = []
let added = 0
let asked = 0
let body = Buffer.from('[]')

function add(): void {
  flows.push({ id: `flow-${added}`, type: 'tab', label: `Flow ${added % names}`, info: 'x'.repeat(100) })
  if (flows.length > count) flows.shift()
  added++
  body = Buffer.from(JSON.stringify(flows))
}
for (let n = 0; n < count; n++) add()
setInterval(add, addMs)

const server = createServer((request, response) => {
  request.resume()
  const answer = request.url === '/asked' ? Buffer.from(JSON.stringify({ asked, added })) : body
  if (request.url !== '/asked') asked++
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
  response.end(answer)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(server.address())
})
