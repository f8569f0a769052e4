import { visitSchemas } from '../json-schema.ts'
import type { ToolManifest } from '../format/index.ts'
import type { DiagnosticReporter } from '../diagnostics.ts'

/** What a client looks for in a marked object; contract of file arguments and answers. */
const FILE_MARKERS = {
  input: { mark: 'file_uploadable', other: 'file_downloadable', member: 's3key' },
  output: { mark: 'file_downloadable', other: 'file_uploadable', member: 's3url' },
} as const

/** Objects marked as files have the members that clients fill and read. */
export function checkFileMarkers(tool: ToolManifest, path: string, report: DiagnosticReporter): void {
  for (const side of ['input', 'output'] as const) {
    const { mark, other, member } = FILE_MARKERS[side]
    visitSchemas(tool[side], `${path}/${side}`, (node, at) => {
      if (node[other] === true)
        report.add(at, `\`${other}\` is for the ${side === 'input' ? 'output' : 'input'}. Write \`${mark}\`.`)
      if (node[mark] !== true) return
      const members = Object.keys((node.properties ?? {}) as object)
      const missing = ['name', 'mimetype', member].filter((name) => !members.includes(name))
      if (node.type !== 'object' || missing.length > 0)
        report.add(
          at,
          `\`${mark}\` needs an object with the string properties name, mimetype and ` +
            `${member}${missing.length ? `; ${missing.join(', ')} is missing` : ''}.`,
        )
    })
  }
}
