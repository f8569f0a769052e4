import type { ToolManifest } from '../format/index.ts'

const HINTS = {
  read: 'readOnlyHint',
  create: 'createHint',
  update: 'updateHint',
  delete: 'destructiveHint',
} as const

/** Whether repeating a call changes nothing more. */
export function isIdempotent(tool: ToolManifest): boolean {
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
