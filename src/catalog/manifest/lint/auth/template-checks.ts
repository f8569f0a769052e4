import { compileTemplate } from '../../compile/template/templates.ts'
import { type DiagnosticReporter, pointerSegment } from '../../diagnostics.ts'

type Texts = Readonly<Record<string, string>> | undefined

/** Checks template texts against names that have a value. */
export interface TemplateChecks {
  one(text: string | undefined, path: string): void
  all(texts: Texts, path: string): void
}

/** Names that any template may use. */
export const ALWAYS_SUPPLIED = ['uuid']

/**
 * Creates the checks of templates against the names that a connection supplies.
 * @param names name to whether its value is always set
 */
export function createTemplateChecks(
  names: ReadonlyMap<string, boolean>,
  report: DiagnosticReporter,
): TemplateChecks {
  const one = (text: string | undefined, path: string): void => {
    if (text === undefined || text === '') return
    let template
    try {
      template = compileTemplate(text)
    } catch (error) {
      return report.add(path, (error as Error).message)
    }
    for (const part of template.parts) {
      if (typeof part === 'string') continue
      const used = part.alternatives.flatMap((one) => ('name' in one ? [one.name] : []))
      for (const name of used)
        if (!names.has(name) && !ALWAYS_SUPPLIED.includes(name))
          report.add(path, `no field, token or captured value is named \`${name}\`.`)
      const sure =
        part.optional ||
        used.length < part.alternatives.length ||
        used.some((name) => names.get(name) ?? true)
      if (!sure)
        report.add(
          path,
          `\`${used[0]}\` can be empty. Write a default, \`{${used[0]}||'…'}\`, or \`{${used[0]}?}\` to ` +
            'leave the value out.',
        )
    }
  }
  const all = (texts: Texts, path: string): void => {
    for (const [key, text] of Object.entries(texts ?? {})) one(text, path + pointerSegment(key))
  }
  return { one, all }
}

/** Returns names with further ones that are always set. */
export const withNames = (
  names: ReadonlyMap<string, boolean>,
  more: readonly string[],
): ReadonlyMap<string, boolean> => new Map([...names, ...more.map((name) => [name, true] as const)])
