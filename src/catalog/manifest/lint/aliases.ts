import type { ToolManifest } from '../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../diagnostics.ts'

/** Former names of tools and what replaces those that go. `tools` are those of the same version, by slug. */
export function checkAliases(
  tools: ReadonlyMap<string, ToolManifest>,
  list: readonly ToolManifest[],
  prefix: string,
  report: DiagnosticReporter,
): void {
  const owners = new Map<string, string>()
  list.forEach((tool, index) => {
    const path = `/tools${pointerSegment(index)}`
    tool.aliases?.forEach((alias, at) => {
      const where = `${path}/aliases${pointerSegment(at)}`
      if (!alias.startsWith(prefix) || alias === prefix) report.add(where, `must begin with \`${prefix}\`.`)
      if (tools.has(alias))
        report.add(where, `\`${alias}\` is the slug of a tool of this version. Remove the alias.`)
      if (owners.has(alias)) report.add(where, `\`${alias}\` is also an alias of ${owners.get(alias)}.`)
      owners.set(alias, tool.slug)
    })
    if (typeof tool.deprecated !== 'object') return
    const { replaced_by: replacement, gone } = tool.deprecated
    if (replacement === tool.slug)
      report.add(`${path}/deprecated/replaced_by`, 'must be another tool than the deprecated one.')
    else if (replacement !== undefined && !tools.has(replacement))
      report.add(`${path}/deprecated/replaced_by`, `\`${replacement}\` is not a tool of this version.`)
    if (gone && tool.important)
      report.add(`${path}/important`, 'is not allowed for a tool with `"gone": true`.')
  })
}
