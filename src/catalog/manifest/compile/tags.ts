import type { ToolManifest } from '../format/index.ts'

const HINTS = {
  read: 'readOnlyHint',
  create: 'createHint',
  update: 'updateHint',
  delete: 'destructiveHint',
} as const

/**
 * Returns whether repeating a call changes nothing more. A GET that changes something is not what HTTP says of GET, so
 * nothing is known of its repetition: documents declare runs and messages as GET.
 */
export function isIdempotent(tool: ToolManifest): boolean {
  if (tool.request?.method === 'GET' && tool.effect !== 'read') return false
  return tool.idempotent ?? (tool.effect === 'read' || tool.effect === 'delete')
}

/** The tags of a tool: hints that follow from what it declares, `important`, then its own. */
export function tagsOf(tool: ToolManifest, local: boolean): string[] {
  const tags = new Set<string>()
  if (tool.important) tags.add('important')
  tags.add(HINTS[tool.effect])
  if (isIdempotent(tool)) tags.add('idempotentHint')
  if (tool.open_world ?? !local) tags.add('openWorldHint')
  for (const tag of tool.tags ?? []) tags.add(tag)
  return [...tags]
}
