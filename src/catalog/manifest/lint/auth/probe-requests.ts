import type { ProbeRequestManifest, AuthSchemeManifest, IdentityManifest } from '../../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../../diagnostics.ts'
import { compilePath } from '../../compile/template/paths.ts'
import type { TemplateChecks } from './template-checks.ts'
import { SCHEME_FIELDS } from '../../compile/auth/scheme-fields.ts'

/** Every text of a request that is made with the values of a connection. */
export function checkProbeRequest(
  request: ProbeRequestManifest | undefined,
  texts: TemplateChecks,
  path: string,
): void {
  if (!request) return
  texts.one(request.path, `${path}/path`)
  texts.all(request.query, `${path}/query`)
  texts.all(request.headers, `${path}/headers`)
  checkNestedTexts(request.body, texts, `${path}/body`)
}

function checkNestedTexts(value: unknown, texts: TemplateChecks, path: string): void {
  if (typeof value === 'string') return texts.one(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) checkNestedTexts(item, texts, path + pointerSegment(key))
}

/** A probe that finds nothing would be asked for nothing. */
export function checkIdentity(
  identity: IdentityManifest | undefined,
  texts: TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  if (!identity) return
  checkProbeRequest(identity, texts, path)
  for (const name of ['id', 'email', 'name', 'tenant'] as const)
    checkReplyText(identity[name], texts, `${path}/${name}`, report)
}

/** A path into a reply or a template, as `readMember` reads it. */
export function checkReplyText(
  text: string | undefined,
  texts: TemplateChecks,
  path: string,
  report: DiagnosticReporter,
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
export const savedValueNames = ({ post_connect: steps = [] }: AuthSchemeManifest): string[] =>
  steps.flatMap(({ save }) => Object.keys(save))

/** A step may use what the steps before it saved, and saves nothing in the place of a credential. */
export function checkPostConnect(
  scheme: AuthSchemeManifest,
  names: ReadonlyMap<string, boolean>,
  checksWith: (known: ReadonlyMap<string, boolean>) => TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  const own = SCHEME_FIELDS[scheme.scheme]!
  const reserved = new Set([
    ...own.supplies,
    ...own.auth_config_creation.map(({ name }) => name),
    ...own.connected_account_initiation.map(({ name }) => name),
    'status',
  ])
  const known = new Map(names)
  for (const name of savedValueNames(scheme)) known.delete(name)
  scheme.post_connect?.forEach(({ request, save }, index) => {
    const at = `${path}/post_connect${pointerSegment(index)}`
    checkProbeRequest(request, checksWith(known), `${at}/request`)
    if (!Object.keys(save).length) report.add(`${at}/save`, 'must have at least one value.')
    for (const name of Object.keys(save)) {
      if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name))
        report.add(
          `${at}/save${pointerSegment(name)}`,
          'must begin with a letter and have only letters, digits, `_` and `-`.',
        )
      if (reserved.has(name))
        report.add(
          `${at}/save${pointerSegment(name)}`,
          'is the name of a credential of the scheme. Rename it.',
        )
      known.set(name, true)
    }
  })
}
