import type { AskManifest, AuthSchemeManifest, IdentityManifest } from '../../format/index.ts'
import { pointer, type Reporter } from '../../diagnostics.ts'
import { compilePath } from '../../compile/template/paths.ts'
import type { TextChecks } from './signing.ts'
import { SCHEME_FIELDS } from '../../compile/auth/scheme-fields.ts'

/** Every text of a request that is made with the values of a connection. */
export function checkAsk(request: AskManifest | undefined, texts: TextChecks, path: string): void {
  if (!request) return
  texts.one(request.path, `${path}/path`)
  texts.all(request.query, `${path}/query`)
  texts.all(request.headers, `${path}/headers`)
  checkTexts(request.body, texts, `${path}/body`)
}

function checkTexts(value: unknown, texts: TextChecks, path: string): void {
  if (typeof value === 'string') return texts.one(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) checkTexts(item, texts, path + pointer(key))
}

/** A probe that finds nothing would be asked for nothing. */
export function checkIdentity(
  identity: IdentityManifest | undefined,
  texts: TextChecks,
  path: string,
  report: Reporter,
): void {
  if (!identity) return
  checkAsk(identity, texts, path)
  for (const name of ['id', 'email', 'name', 'tenant'] as const)
    checkMember(identity[name], texts, `${path}/${name}`, report)
}

/** A path into a reply or a template, as `readMember` reads it. */
export function checkMember(
  text: string | undefined,
  texts: TextChecks,
  path: string,
  report: Reporter,
): void {
  if (text === undefined) return
  if (text.includes('{')) return texts.one(text, path)
  try {
    compilePath(text)
  } catch (error) {
    report.add(path, (error as Error).message)
  }
}

/** Names of the values that the steps after connecting save. */
export const savedIn = ({ post_connect: steps = [] }: AuthSchemeManifest): string[] =>
  steps.flatMap(({ save }) => Object.keys(save))

/** A step may use what the steps before it saved, and saves nothing in the place of a credential. */
export function checkPostConnect(
  scheme: AuthSchemeManifest,
  names: ReadonlyMap<string, boolean>,
  checksWith: (known: ReadonlyMap<string, boolean>) => TextChecks,
  path: string,
  report: Reporter,
): void {
  const own = SCHEME_FIELDS[scheme.scheme]!
  const taken = new Set([
    ...own.supplies,
    ...own.auth_config_creation.map(({ name }) => name),
    ...own.connected_account_initiation.map(({ name }) => name),
    'status',
  ])
  const known = new Map(names)
  for (const name of savedIn(scheme)) known.delete(name)
  scheme.post_connect?.forEach(({ request, save }, index) => {
    const at = `${path}/post_connect${pointer(index)}`
    checkAsk(request, checksWith(known), `${at}/request`)
    if (!Object.keys(save).length)
      report.add(`${at}/save`, 'names nothing, so the choice would change nothing.')
    for (const name of Object.keys(save)) {
      if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name))
        report.add(`${at}/save${pointer(name)}`, 'is no name for a value.')
      if (taken.has(name)) report.add(`${at}/save${pointer(name)}`, 'is a credential of the scheme.')
      known.set(name, true)
    }
  })
}
