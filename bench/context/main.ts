import { type Product, startProduct } from '../execute/processes.ts'

// What a session costs of a model's context: the list of its tools as MCP tells it, and the answers of
// searches. Everything is asked of a running server with the toolkits that ship.
//
//   npm run bench:context

const LIST_MAX = 16 * 1024
const SEARCH_MAX = 24 * 1024
const QUERIES = 3
/** Tasks as people say them, over toolkits that ship, simple ones and ones that need another call first. */
const TASKS = [
  'send a message to a slack channel',
  'create an event in google calendar with attendees',
  'list open issues of a github repository',
  'update an outlook calendar event',
  'create a stripe subscription',
  'send an email with sendgrid',
  'find a contact in hubspot by email',
  'append a row to a google sheet',
  'create a jira issue',
  'move a trello card to another list',
  'refund a payment with stripe',
  'reply to an email thread in gmail',
  'upload a file to google drive',
  'assign a linear issue to a teammate',
  'order a pizza',
  'create a page in a notion database',
  'merge a pull request on gitlab',
  'send a text message with twilio',
  'close a zendesk ticket',
  'schedule a zoom meeting',
  'create a shopify product',
  'add songs to a spotify playlist',
  'update a salesforce opportunity',
  'search pages in confluence',
  'post a message to a discord channel',
  'create a task in asana with a due date',
  'share a dropbox folder',
  'list records of an airtable base',
  'send an outlook email with an attachment',
  'what is the weather tomorrow',
]

const say = (text: string) => process.stdout.write(`${text}\n`)
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const verdict = (value: number, max: number) => `(bound ${max}: ${value <= max ? 'kept' : 'broken'})`

interface Found {
  results: { primary_tool_slugs: string[]; related_tool_slugs: string[]; plan_id?: string }[]
  tool_schemas: Record<string, { hasFullSchema: boolean }>
}

async function measure({ url, key }: Product): Promise<void> {
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const reply = await fetch(URL.parse(path, url)!, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as T
  }
  const { session_id: id, mcp } = await post<{ session_id: string; mcp: { url: string } }>(
    '/api/v3.1/tool_router/session',
    { user_id: 'u-17' },
  )
  const { result } = await post<{ result: { tools: { name: string }[] } }>(new URL(mcp.url).pathname, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: {},
  })
  const list = bytes(result)
  say(`\n  tools/list of a default session  ${list} bytes ${verdict(list, LIST_MAX)}`)
  for (const tool of result.tools) say(`    ${tool.name.padEnd(32)}${String(bytes(tool)).padStart(6)}`)

  const sizes: number[] = []
  let [whole, planned] = [0, 0]
  for (let at = 0; at < TASKS.length; at += QUERIES) {
    const { data } = await post<{ data: Found }>(`/api/v3.1/tool_router/session/${id}/execute_meta`, {
      slug: 'SERVICE_SEARCH_TOOLS',
      arguments: {
        queries: TASKS.slice(at, at + QUERIES).map((use_case) => ({ use_case })),
        session: { generate_id: true },
      },
    })
    sizes.push(bytes(data))
    whole += data.results.filter(
      ({ primary_tool_slugs: [first] }) => first === undefined || data.tool_schemas[first]?.hasFullSchema,
    ).length
    planned += data.results.filter(({ plan_id: plan }) => plan).length
  }
  sizes.sort((a, b) => a - b)
  const most = sizes.at(-1)!
  say(
    `\n  search with ${QUERIES} queries, ${sizes.length} answers   median ${sizes[sizes.length >> 1]}   ` +
      `most ${most} bytes ${verdict(most, SEARCH_MAX)}`,
  )
  say(`  first tool with its whole schema: ${whole} of ${TASKS.length}; with a plan: ${planned}\n`)
  process.exitCode = list <= LIST_MAX && most <= SEARCH_MAX && whole === TASKS.length ? 0 : 1
}

const product = await startProduct({})
try {
  await measure(product)
} finally {
  await product.stop()
}
