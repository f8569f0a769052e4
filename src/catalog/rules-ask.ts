import type { AskManifest, IdentityManifest } from './manifest/index.ts'
import { pointer, type Reporter } from './mistakes.ts'
import { compilePath } from './paths.ts'
import type { TextChecks } from './rules-sign.ts'

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
export function checkIdentity(identity: IdentityManifest | undefined, texts: TextChecks, path: string, report: Reporter): void {
  if (!identity) return
  checkAsk(identity, texts, path)
  for (const name of ['id', 'email', 'name', 'tenant'] as const) checkMember(identity[name], texts, `${path}/${name}`, report)
}

/** A path into a reply or a template, as `readMember` reads it. */
export function checkMember(text: string | undefined, texts: TextChecks, path: string, report: Reporter): void {
  if (text === undefined) return
  if (text.includes('{')) return texts.one(text, path)
  try { compilePath(text) } catch (error) { report.add(path, (error as Error).message) }
}
