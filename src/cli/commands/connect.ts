import type { Command } from 'commander'
import type { Route } from '../../contract/route.ts'
import { type ApiRequest, callApi } from '../api-client/call.ts'
import {
  addGlobalOptions,
  type Finish,
  type Options,
  readGlobalOptions,
} from '../arguments/global-options.ts'
import { readSecretLine } from '../arguments/read-secret.ts'
import { UsageError } from '../arguments/usage-error.ts'
import {
  type Account,
  connectAccount,
  type ConnectOptions,
  RejectedCall,
} from '../connect/connect-account.ts'
import { openInBrowser } from '../connect/open-browser.ts'
import { HEADINGS } from '../help/groups.ts'
import { EXIT, type Io, painter, printable } from '../io.ts'
import { printApiError } from '../output/failure.ts'
import { printJson } from '../output/reply.ts'

/** Adds `patchbay connect`: an account in one command, by a token or on the hosted page. */
export function addConnectCommand(program: Command, io: Io, finish: Finish): void {
  const command = program
    .command('connect <toolkit>')
    .summary('Connect an account of a user')
    .description(
      'Connects an account: with --token or --field at once, otherwise on a page that it opens in the browser and ' +
        'waits for. Creates the auth config if there is none.',
    )
    .helpGroup(HEADINGS.accounts)
    .helpOption('-h, --help', 'print this help')
    .option('--user <id>', 'id of the user, chosen by your application; required')
    .option('--token <text>', 'token or API key; - reads it from standard input')
    .option('--field <name=value>', 'value of the connection, repeatable', append)
    .option('--auth-config <id>', 'auth config to connect with; default: the newest of the toolkit')
    .option('--client-id <text>', 'client id of your OAuth app')
    .option('--client-secret <text>', 'client secret of your OAuth app; - reads it from standard input')
    .option('--alias <text>', 'name for the account')
    .option('--no-open', 'print the URL of the page, and do not open it')
    .addHelpText('after', '\nExample:\n  patchbay connect github --user ada')
  addGlobalOptions(command).action(async (toolkit: string) => {
    const { connection, version, asJson } = readGlobalOptions(command, io)
    const options = command.opts<Options>()
    const call = (route: Route, request: Partial<ApiRequest>) =>
      callApi(io, connection, route, version, { params: {}, query: {}, body: undefined, ...request })
    const showLink = (url: string) => {
      io.stderr.write(
        `Open this page to connect ${printable(toolkit)}:\n\n  ${printable(url)}\n\nWaiting …\n`,
      )
      if (options['open'] !== false) openInBrowser(io, url)
    }
    const redirectUri = `${connection.url}/api/v3/toolkits/auth/callback`
    try {
      const account = await connectAccount(await readOptions(toolkit, options, io), {
        call,
        showLink,
        redirectUri,
      })
      finish(printAccount(io, toolkit, account, asJson))
    } catch (error) {
      if (!(error instanceof RejectedCall)) throw error
      finish(printApiError(io, error.reply.status, error.reply.body, asJson))
    }
  })
}

const append = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

async function readOptions(toolkit: string, options: Options, io: Io): Promise<ConnectOptions> {
  const text = (name: string) => options[name] as string | undefined
  const userId = text('user')
  if (userId === undefined)
    throw new UsageError(
      '--user is missing.',
      'Use the id that your application has for the user: --user ada.',
    )
  const [token, secret] = [text('token'), text('clientSecret')]
  if (token === '-' && secret === '-')
    throw new UsageError(
      'Standard input has one value only.',
      'Write - for --token or --client-secret, not both.',
    )
  if ((text('clientId') === undefined) !== (secret === undefined))
    throw new UsageError('An OAuth app has an id and a secret.', 'Use both --client-id and --client-secret.')
  const entered = token === '-' || secret === '-' ? await readSecretLine(io, 'Secret: ') : undefined
  return {
    toolkit,
    userId,
    authConfigId: text('authConfig'),
    token: token === '-' ? entered : token,
    fields: Object.fromEntries(((options['field'] as string[] | undefined) ?? []).map(fieldOf)),
    oauthApp:
      secret === undefined
        ? undefined
        : { client_id: text('clientId')!, client_secret: secret === '-' ? entered! : secret },
    alias: text('alias'),
  }
}

function fieldOf(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--field "${text}" has no name.`, 'Write --field name=value.')
  return [text.slice(0, at), text.slice(at + 1)]
}

function printAccount(io: Io, toolkit: string, account: Account | undefined, asJson: boolean): number {
  const line = (text: string) => io.stdout.write(`${text}\n`)
  if (!account) {
    if (asJson) printJson(io, { toolkit, needs_account: false })
    else line(`${toolkit} needs no account. Try: patchbay tools list --toolkit-slug ${toolkit}`)
    return EXIT.ok
  }
  const isActive = account.status === 'ACTIVE'
  if (asJson) printJson(io, account)
  else if (isActive)
    line(`${painter(io, io.stdout)('green', 'connected')}  ${account.id}  ${printable(account.user_id)}`)
  else
    io.stderr.write(
      `${painter(io, io.stderr)('red', 'not connected')}  ${account.id} is ${account.status}` +
        `${account.status_reason ? `: ${printable(account.status_reason)}` : ''}\n`,
    )
  return isActive ? EXIT.ok : EXIT.apiError
}
