import { compileForFormat, SCHEMA_FORMAT_NAMES } from '../../schema-formats/index.ts'
import type { ToolManifest } from '../format/index.ts'
import type { JsonSchema } from '../../types/index.ts'

/** A tool that is left out, and why. */
export interface Quarantined {
  readonly slug: string
  readonly reason: string
}

const REASON_MAX = 300

/**
 * Finds tools whose arguments no model vendor would accept in any form; one of them in a list makes a
 * vendor reject the whole list. A tool that some accept stays: lists for the others leave it out. `isKnown`:
 * whether a tool was accepted before, with the same arguments. Yields after each tool: compiling its schema for all
 * vendors takes a millisecond or two.
 */
export function* quarantine(
  tools: readonly ToolManifest[],
  isKnown: (tool: ToolManifest) => boolean = () => false,
): Generator<void, { sound: ToolManifest[]; quarantined: Quarantined[] }> {
  const sound: ToolManifest[] = []
  const quarantined: Quarantined[] = []
  for (const tool of tools) {
    const reason = faultOfTool(tool)
    if (reason === undefined || isKnown(tool)) sound.push(tool)
    else quarantined.push({ slug: tool.slug, reason })
    yield
  }
  return { sound, quarantined }
}

/** Returns why no model vendor accepts a tool; undefined if one does. */
function faultOfTool({ slug, input }: ToolManifest): string | undefined {
  try {
    let first: string | undefined
    for (const format of SCHEMA_FORMAT_NAMES) {
      const compiled = compileForFormat(slug, input as JsonSchema, format)
      if (!('reason' in compiled)) return undefined
      first ??= compiled.reason.slice(0, REASON_MAX)
    }
    return first
  } catch (error) {
    return `its arguments cannot be compiled (${error instanceof Error ? error.message : String(error)})`.slice(
      0,
      REASON_MAX,
    )
  }
}
