/** What a client needs to reach an MCP endpoint. */
export interface McpEndpoint {
  /** Short name, `[a-z0-9-]+`, under which the client lists the endpoint. */
  name: string
  url: string
  /** Value of `x-api-key`; undefined: the client signs its user in with OAuth. */
  key: string | undefined
}

export type McpClientName =
  | 'claude_code'
  | 'claude_desktop'
  | 'cursor'
  | 'vscode'
  | 'chatgpt'
  | 'windsurf'
  | 'codex'
  | 'gemini_cli'
  | 'typescript'
  | 'python'

export interface ClientConfig {
  client: McpClientName
  name: string
  language: 'shell' | 'json' | 'toml' | 'typescript' | 'python' | 'text'
  file: string | null
  text: string
  hint: string
  needs_https: boolean
}

type Rule = Omit<ClientConfig, 'client' | 'text' | 'needs_https'> & {
  needs_https?: true
  /** Set for clients with one way only. */
  auth?: 'sign_in' | 'key'
  write(endpoint: McpEndpoint): string
}

/** Text that a reader replaces by a project key. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY'

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const headers = ({ key }: McpEndpoint) => (key === undefined ? {} : { headers: { 'x-api-key': key } })
const shellHeader = ({ key }: McpEndpoint) => (key === undefined ? '' : ` --header "x-api-key: ${key}"`)

/**
 * Starts the mcp-remote bridge. It splits a header at its first colon, and some clients break arguments at
 * spaces: the key is passed in the environment.
 */
const bridge = ({ url, key }: McpEndpoint) => ({
  command: 'npx',
  args: ['-y', 'mcp-remote', url, ...(key === undefined ? [] : ['--header', 'x-api-key:${API_KEY}'])],
  ...(key === undefined ? {} : { env: { API_KEY: key } }),
})

const importLine = (name: string, path: string): string =>
  ['import', `{ ${name} }`, 'from', `'@modelcontextprotocol/sdk/${path}'`].join(' ')

const typescript = ({ url, key }: McpEndpoint): string =>
  `// npm install @modelcontextprotocol/sdk
${importLine('Client', 'client/index.js')}
${importLine('StreamableHTTPClientTransport', 'client/streamableHttp.js')}

const transport = new StreamableHTTPClientTransport(new URL(${JSON.stringify(url)}), {
  requestInit: { headers: { 'x-api-key': ${JSON.stringify(key)} } },
})
const client = new Client({ name: 'my-agent', version: '1.0.0' })
await client.connect(transport)
const { tools } = await client.listTools()
console.log(tools.map((tool) => tool.name).join('\\n'))
await client.close()
`

const python = ({ url, key }: McpEndpoint): string =>
  `# pip install mcp
import asyncio

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


async def main():
    headers = {"x-api-key": ${JSON.stringify(key)}}
    async with streamablehttp_client(${JSON.stringify(url)}, headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            print("\\n".join(tool.name for tool in (await session.list_tools()).tools))


asyncio.run(main())
`

/** The formats of the clients. None was run here; the documentation of each client decides. */
const RULES: Readonly<Record<McpClientName, Rule>> = {
  claude_code: {
    name: 'Claude Code',
    language: 'shell',
    file: null,
    hint: 'Run it in a terminal, then type /mcp in Claude Code.',
    write: (one) => `claude mcp add --transport http ${one.name} "${one.url}"${shellHeader(one)}`,
  },
  claude_desktop: {
    name: 'Claude Desktop',
    language: 'json',
    file: 'claude_desktop_config.json',
    hint: 'Open Settings, Developer, Edit Config, add it and restart Claude Desktop.',
    write: (one) => json({ mcpServers: { [one.name]: bridge(one) } }),
  },
  cursor: {
    name: 'Cursor',
    language: 'json',
    file: '~/.cursor/mcp.json',
    hint: 'Add it to the file, or to .cursor/mcp.json of a project.',
    write: (one) => json({ mcpServers: { [one.name]: { url: one.url, ...headers(one) } } }),
  },
  vscode: {
    name: 'VS Code',
    language: 'json',
    file: '.vscode/mcp.json',
    hint: 'Add it to the file and click Start above the entry.',
    write: (one) => json({ servers: { [one.name]: { type: 'http', url: one.url, ...headers(one) } } }),
  },
  chatgpt: {
    name: 'ChatGPT',
    language: 'text',
    file: null,
    hint: 'Turn on developer mode under Settings, Connectors, click Create and paste the URL.',
    needs_https: true,
    auth: 'sign_in',
    write: ({ url }) => url,
  },
  windsurf: {
    name: 'Windsurf',
    language: 'json',
    file: '~/.codeium/windsurf/mcp_config.json',
    hint: 'Add it to the file and refresh the list of MCP servers.',
    write: (one) => json({ mcpServers: { [one.name]: { serverUrl: one.url, ...headers(one) } } }),
  },
  codex: {
    name: 'Codex',
    language: 'toml',
    file: '~/.codex/config.toml',
    hint: 'Add it to the file. Without a key, run codex mcp login with the name of the server.',
    write: ({ name, url, key }) =>
      [
        `[mcp_servers.${name}]`,
        `url = ${JSON.stringify(url)}`,
        ...(key === undefined ? [] : [`http_headers = { "x-api-key" = ${JSON.stringify(key)} }`]),
      ].join('\n'),
  },
  gemini_cli: {
    name: 'Gemini CLI',
    language: 'json',
    file: '~/.gemini/settings.json',
    hint: 'Add it to the file and restart Gemini CLI.',
    write: (one) => json({ mcpServers: { [one.name]: { httpUrl: one.url, ...headers(one) } } }),
  },
  typescript: {
    name: 'TypeScript',
    language: 'typescript',
    file: 'agent.ts',
    hint: 'Run it with Node.js 22 or later: node agent.ts. It prints the names of the tools.',
    auth: 'key',
    write: typescript,
  },
  python: {
    name: 'Python',
    language: 'python',
    file: 'agent.py',
    hint: 'Run it with Python 3.10 or later: python agent.py. It prints the names of the tools.',
    auth: 'key',
    write: python,
  },
}

/**
 * Returns a configuration for each client. `signInUrl` is for clients that sign their users in. With a key, the
 * URL must name the user, and so does `keyUrl`. Programs always use a key; ChatGPT can send none.
 */
export function clientConfigs(
  name: string,
  { signInUrl, keyUrl }: { signInUrl: string; keyUrl: string },
  auth: 'sign_in' | 'key',
): ClientConfig[] {
  const withKey = { name, url: keyUrl, key: KEY_PLACEHOLDER }
  const withSignIn = { name, url: signInUrl, key: undefined }
  return (Object.keys(RULES) as McpClientName[]).map((client) => {
    const { write, auth: only = auth, needs_https = false, ...rule } = RULES[client]
    return { client, ...rule, text: write(only === 'key' ? withKey : withSignIn), needs_https }
  })
}

/** Returns a name for a list of clients: lower case, with hyphens. */
export const clientName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'tools'
