import { parseArgs } from 'node:util'
import { applications } from './applications.ts'
import { QUIRKS } from './quirks/index.ts'
import { CLIENT, startSimulator } from './start.ts'

const HELP = `Imitates providers of OAuth, keys and signatures, each with one peculiarity, and the applications of
all toolkits. It serves this machine only.

  npm run simulate                        all providers, on port 9400
  npm run simulate -- --quirk rotates     one of them; may be repeated
  npm run simulate -- --list              what there is

  --port <number>          default 9400; 0 for one that is free
  --quirk <name>           only this provider
  --token-seconds <n>      lifetime of access tokens; default 3600
  --reuse-grace-seconds <n>  how long a rotated refresh token still works; default 0
  --token-delay-ms <n>     how long a token request takes; default 0
  --redirect-uri <address> registered where no request names one
  --real-time              what applications make is made now, as triggers need that ask since when
  --list                   name every provider and end
  --json                   write JSON
  --help                   this text
`

const OPTIONS = {
  port: { type: 'string', default: '9400' },
  quirk: { type: 'string', multiple: true },
  'token-seconds': { type: 'string', default: '3600' },
  'reuse-grace-seconds': { type: 'string', default: '0' },
  'token-delay-ms': { type: 'string', default: '0' },
  'redirect-uri': { type: 'string' },
  'real-time': { type: 'boolean', default: false },
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** Starts what the arguments ask for. Returns the exit code; undefined while it serves. */
async function main(args: string[]): Promise<number | undefined> {
  const { values } = parseArgs({ args, options: OPTIONS })
  if (values.help) return say(HELP)
  const unknown = values.quirk?.find((name) => !QUIRKS.some((quirk) => quirk.name === name))
  if (unknown !== undefined) throw new Error(`There is no quirk ${unknown}; --list names all.`)
  const quirks = QUIRKS.filter(({ name }) => !values.quirk || values.quirk.includes(name))
  if (values.list)
    return say(
      values.json
        ? json(quirks.map(({ number, name, title }) => ({ number, name, title })))
        : table(quirks.map(({ number, name, title }) => [String(number), name, title])),
    )
  const world = await applications(values['real-time'])
  const simulator = await startSimulator({
    world,
    port: number(values.port, '--port'),
    tokenSeconds: number(values['token-seconds'], '--token-seconds'),
    reuseGraceSeconds: number(values['reuse-grace-seconds'], '--reuse-grace-seconds'),
    tokenDelayMs: number(values['token-delay-ms'], '--token-delay-ms'),
    quirks,
    ...(values['redirect-uri'] ? { redirectUri: values['redirect-uri'] } : {}),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void simulator.close().then(() => process.exit(0)))
  const offers = quirks.map(({ number: no, name, title, auth, toolkit, connectionInput }) => {
    const url = `${simulator.url}/${name}`
    return {
      number: no,
      name,
      title,
      url,
      auth: auth(url),
      ...toolkit?.(url),
      connectionInput: connectionInput?.(url),
    }
  })
  if (values.json)
    say(
      json({
        url: simulator.url,
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        applications: [...world.applications.keys()],
        providers: offers,
      }),
    )
  else
    say(
      `${table(offers.map(({ number: no, title, url }) => [String(no), url, title]))}\nClient id ${CLIENT.id}, ` +
        `client secret ${CLIENT.secret}. Failures on request: ${simulator.url}/_control.\n` +
        `${world.applications.size} applications: start the server with SIMULATOR_URL=${simulator.url}; ` +
        `${simulator.url}/_applications lists them. Ctrl-C ends it.\n`,
    )
  return undefined
}

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

function number(text: string, option: string): number {
  const value = Number(text)
  if (text === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`${option} wants a number, not ${text || 'nothing'}.`)
  return value
}

function table(rows: readonly string[][]): string {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, index) => Math.max(most[index] ?? 0, cell.length)),
    [],
  )
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

const code = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 2
})
if (code !== undefined) process.exitCode = code
