import type { Hit, Searched } from './rank.ts'
import type { SignalTable } from './signal-table.ts'

/** The place of a tool that the first one needs: after those that may be what was asked for. */
const PLACE = 4

/**
 * Puts a tool that returns values of the arguments of the first one among the first five, unless they have all of
 * these: an agent calls it before.
 * @param hits best first; changed in place
 */
export function putNeededTool(searched: readonly Searched[], hits: Hit[], table: SignalTable): void {
  const [first] = hits
  if (!first || hits.length <= PLACE) return
  const { segment, mask, allows } = searched[first.segment]!
  const placeOf = (tool: number) =>
    hits.findIndex((hit) => hit.segment === first.segment && hit.tool === tool)
  for (let at = segment.neededStart[first.tool]!; at < segment.neededStart[first.tool + 1]!; at++) {
    const tool = segment.needed[at]!
    const place = placeOf(tool)
    if (place >= 0 && place <= PLACE) continue
    if (mask?.[segment.toolkitOf[tool]!] === 0 || (allows && !allows(tool))) continue
    const [hit] =
      place > 0 ? hits.splice(place, 1) : [{ segment: first.segment, tool, score: 0, row: table.add() }]
    const { score } = hits[PLACE - 1]!
    table.set(hit!.row, 'needed', score - hit!.score)
    hits.splice(PLACE, 0, { ...hit!, score })
    return
  }
}
