import { parseArgs } from 'node:util'
import { runAgent } from './agent.ts'
import { modelled } from './model.ts'
import { atTheTerminal, pretended } from './person.ts'
import { scripted } from './script.ts'
import { connectTo, openSession } from './session.ts'

// An agent that has nothing but an MCP server: finds a tool, has its user connect, runs it, reads the result.

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { pretend: { type: 'boolean', default: false }, user: { type: 'string', default: 'ada' } },
})
const {
  PATCHBAY_URL: url = 'http://localhost:3900',
  PATCHBAY_API_KEY: key,
  AGENT_MCP_URL: mcpUrl,
  LLM_BASE_URL: baseUrl,
  LLM_MODEL: model,
  LLM_API_KEY: apiKey,
} = process.env
const say = (text: string) => {
  process.stdout.write(`\n${text}\n`)
}

if (!key)
  throw new Error('PATCHBAY_API_KEY is missing: the key of a project, as `patchbay keys list` shows it.')
if (baseUrl && !model) throw new Error('LLM_MODEL is missing: the model to ask at LLM_BASE_URL.')

const task =
  positionals.join(' ') ||
  'Open an issue in octocat/hello-world that says that the coffee machine is broken, and tell me its number.'
const think =
  baseUrl && model
    ? modelled({ baseUrl, model, apiKey })
    : scripted({
        useCase: 'create an issue in a github repository',
        arguments: { owner: 'octocat', repo: 'hello-world', title: 'The coffee machine is broken' },
        conclude: ({ number }) => `Done: it is issue ${number}.`,
      })
const client = await connectTo(mcpUrl ?? (await openSession({ url, key }, options.user, 'github')), key)
try {
  say(`Task: ${task}`)
  await runAgent({ client, task, think, person: options.pretend ? pretended(say) : atTheTerminal })
} finally {
  await client.close()
}
