import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export interface Server {
  url: string
  key: string
}

/**
 * What a backend does for its user, once: answers the address that the agent is given. `toolkit`: what
 * accounts can be connected of, with a token.
 */
export async function openSession({ url, key }: Server, userId: string, toolkit: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${url}/api/v3.1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path} answers ${reply.status}: ${await reply.text()}`)
    return (await reply.json()) as any
  }
  const { auth_config: config } = await post('/auth_configs', {
    toolkit: { slug: toolkit },
    auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {} },
  })
  const { mcp } = await post('/tool_router/session', {
    user_id: userId,
    auth_configs: { [toolkit]: config.id },
    manage_connections: { enable: true, enable_wait_for_connections: true },
  })
  return mcp.url
}

/** The official client. It can show addresses, and says so. */
export async function connectTo(address: string, key: string): Promise<Client> {
  const client = new Client(
    { name: 'example-agent', version: '1.0.0' },
    { capabilities: { elicitation: { url: {} } } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address), {
      requestInit: { headers: { 'x-api-key': key } },
    }) as never,
  )
  return client
}
