import { exportToolkitVersion, listToolkits, listToolkitVersions } from '../../contract/toolkits/index.ts'
import type { ReplyOf, Route } from '../../contract/route.ts'
import { callApi } from '../api-client/call.ts'
import type { Draft } from './drafts.ts'
import type { SourceItem } from './project-file.ts'
import { rejected, type Server } from './server.ts'

/** Base64 of all contents of a file: what a server stores of one project. */
const CONTENT_LENGTH_MAX = 350_000_000
const PAGES_MAX = 1_000

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Lists the versions of the toolkits that the project imported, newest first, without their content. @throws CallError */
export async function listCustomToolkits(server: Server): Promise<SourceItem[]> {
  const items: SourceItem[] = []
  for (const slug of await slugsOf(server)) {
    const reply = await read<ReplyOf<typeof listToolkitVersions>>(server, listToolkitVersions, { slug })
    // Other servers have no versions: the toolkit is named nevertheless, so that the import reports it.
    if (!reply) items.push({ id: slug, slug })
    for (const { version, digest, source } of reply?.items ?? [])
      items.push({ id: `${slug}@${version}`, slug, version, digest, url: source.address })
  }
  return items
}

/** Adds the content to the listed versions, as far as the server returns it. @throws CallError */
export async function readToolkitContents(
  server: Server,
  items: readonly SourceItem[],
): Promise<SourceItem[]> {
  const complete: SourceItem[] = []
  let length = 0
  for (const item of items) {
    const params = { slug: text(item['slug']), version: text(item['version']) }
    const reply =
      params.version === '' || length > CONTENT_LENGTH_MAX
        ? undefined
        : await read<ReplyOf<typeof exportToolkitVersion>>(server, exportToolkitVersion, params)
    length += reply?.content_gzip.length ?? 0
    complete.push(reply ? { ...item, content_gzip: reply.content_gzip } : item)
  }
  return complete
}

/** Returns the request that imports a version under its number. */
export function draftToolkit({ slug, version, url, content_gzip: content }: SourceItem): Draft {
  if (typeof content !== 'string')
    return { missing: 'the source did not return its content; import its API description' }
  const address = typeof url === 'string' ? { url } : {}
  return { body: { type: 'toolkit', slug, version, content_gzip: content, ...address } }
}

/** Says how many tools the target rejected; empty for none. */
export function leftOutNote({ counts }: Record<string, unknown>): string {
  const { refused = 0, quarantined = 0 } = (counts ?? {}) as { refused?: number; quarantined?: number }
  const count = refused + quarantined
  return count === 0 ? '' : `${count} of its tools ${count === 1 ? 'was' : 'were'} rejected by the target`
}

async function slugsOf(server: Server): Promise<string[]> {
  const slugs: string[] = []
  let position: Record<string, unknown> = {}
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = { managed_by: 'project', limit: 100, ...position }
    const reply = await read<ReplyOf<typeof listToolkits>>(server, listToolkits, {}, query)
    slugs.push(...(reply?.items ?? []).map(({ slug }) => slug))
    if (!reply?.next_cursor) break
    position = { cursor: reply.next_cursor }
  }
  return slugs
}

/** Calls an operation; undefined if the server does not have it, or the content is too large. @throws CallError */
async function read<Reply>(
  { io, connection, version }: Server,
  route: Route,
  params: Record<string, string>,
  query: Record<string, unknown> = {},
): Promise<Reply | undefined> {
  const { status, body } = await callApi(io, connection, route, version, { params, query, body: undefined })
  if ([404, 413, 501].includes(status)) return undefined
  if (status >= 400) throw rejected(connection.url, route.path, status, body)
  return body as Reply
}
