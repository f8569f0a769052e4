import { compileToolkit } from '../manifest/compile/toolkit.ts'
import { validateFormat } from '../manifest/load/validate-format.ts'
import type { ToolkitManifest, ToolManifest } from '../manifest/format/index.ts'
import { checkAuth } from '../manifest/lint/auth/auth.ts'
import { checkTools } from '../manifest/lint/tools.ts'
import { checkToolkit } from '../manifest/lint/toolkit.ts'
import { ImportRejected } from './import-rejected.ts'

/** Dates of a release that is not made yet. */
const version = '20000101_00'
const DRAFT = { created: '2000-01-01', releases: [{ version, changes: 'Draft.' }] }

/**
 * Judges what was made by the very rules that files are judged by: answers the first reason against each
 * tool. @throws ImportRejected when the toolkit itself is wrong.
 */
export function checkManifest(
  toolkit: Omit<ToolkitManifest, 'created' | 'releases'>,
  tools: readonly ToolManifest[],
): Map<string, string> {
  const wrong = new Map<string, string>()
  const whole: ToolkitManifest = { ...toolkit, ...DRAFT }
  const ofToolkit = {
    add: (path: string, reason: string) => {
      throw new ImportRejected(
        'manifest',
        `The toolkit would be wrong${path === '' ? '' : ` at ${path}`}: ${reason}`,
      )
    },
  }
  validateFormat('toolkit', whole, ofToolkit)
  let judged: readonly ToolManifest[] = tools
  const ofTools = {
    add(path: string, reason: string) {
      const [, , index = '', ...rest] = path.split('/')
      const slug = judged[Number(index)]?.slug
      if (slug !== undefined && !wrong.has(slug)) wrong.set(slug, `${rest.join('/')}: ${reason}`)
    },
  }
  if (tools.length > 0) validateFormat('tools', { tools }, ofTools)
  judged = tools.filter(({ slug }) => !wrong.has(slug))
  checkToolkit(whole, toolkit.slug, ofToolkit)
  const files = { toolkit: whole, tools: judged, triggers: [], version, icon: '', code: undefined }
  const built = compileToolkit(files, { toolkit: ofToolkit, tools: ofTools, triggers: ofTools })
  checkTools(files, built.toolNames, checkAuth(whole, ofToolkit), ofTools)
  return wrong
}
