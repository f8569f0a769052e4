import { randomText } from '../../platform/ids.ts'
import { safeFilename } from './file-urls.ts'

/** Object keys start with the project, and contain a random part so that they cannot be guessed. */
export function newObjectKey(
  projectId: string,
  kind: 'requests' | 'results',
  {
    toolkit_slug: toolkit,
    tool_slug: tool,
    filename,
  }: { toolkit_slug: string; tool_slug: string; filename: string },
): string {
  const name = safeFilename(filename)
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  return `projects/${projectId}/${kind}/${toolkit}/${tool}/${stem}_${randomText(12)}${end}`
}
