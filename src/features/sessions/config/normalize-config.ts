import type { CreateSession, PatchSession } from '../../../contract/sessions/index.ts'
import type { SessionConfig, SessionTags, SessionToolLists } from './session-config.ts'

type ConfigRequest = Omit<CreateSession, 'user_id' | 'experimental' | 'premium_usage'>
type Block = keyof ConfigRequest & keyof SessionConfig

const lowerCaseKeys = <T>(map: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(map).map(([toolkit, value]) => [toolkit.toLowerCase(), value]))
const toolkitSlugs = (list: readonly string[]): string[] => [
  ...new Set(list.map((slug) => slug.toLowerCase())),
]
const toolSlugs = (list: readonly string[]): string[] => [...new Set(list.map((slug) => slug.toUpperCase()))]

type TagsRequest = NonNullable<ConfigRequest['tags']>
function normalizeTags(request: TagsRequest): SessionTags {
  if (Array.isArray(request)) return { enable: request }
  const { enable, disable, enabled, disabled, require_approval } = request as Exclude<
    TagsRequest,
    readonly unknown[]
  >
  return dropEmpty({ enable: enable ?? enabled, disable: disable ?? disabled, require_approval })
}

/** Without members that are not there; `null` in a block is its default. */
const dropEmpty = <T extends object>(block: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(
    Object.entries(block).filter(([, value]) => value !== undefined && value !== null),
  ) as never

/** Each block of a request as it is stored. */
const NORMALIZERS: { readonly [B in Block]: (request: NonNullable<ConfigRequest[B]>) => SessionConfig[B] } = {
  toolkits: ({ enable, disable }) =>
    enable ? { enable: toolkitSlugs(enable) } : { disable: toolkitSlugs(disable ?? []) },
  auth_configs: lowerCaseKeys,
  connected_accounts: (map) =>
    lowerCaseKeys(
      Object.fromEntries(
        Object.entries(map).map(([toolkit, ids]) => [
          toolkit,
          typeof ids === 'string' ? [ids] : [...new Set(ids)],
        ]),
      ),
    ),
  manage_connections: dropEmpty,
  tools: (map) =>
    lowerCaseKeys(
      Object.fromEntries(
        Object.entries(map).map(([toolkit, { enable, disable, tags }]): [string, SessionToolLists] => [
          toolkit,
          dropEmpty({
            enable: enable && toolSlugs(enable),
            disable: disable && toolSlugs(disable),
            tags: tags && normalizeTags(tags),
          }),
        ]),
      ),
    ),
  tags: normalizeTags,
  workbench: dropEmpty,
  multi_account: dropEmpty,
  preload: ({ tools: request }) => ({ tools: typeof request === 'string' ? 'all' : toolSlugs(request) }),
  search: dropEmpty,
  execute: dropEmpty,
  hooks: (list) => list,
}
export const CONFIG_BLOCKS = Object.keys(NORMALIZERS) as readonly Block[]

/** These change member by member; the others are replaced as a whole. */
const MERGED_BLOCKS: ReadonlySet<string> = new Set(['manage_connections', 'workbench', 'multi_account'])

const normalizeBlock = (block: Block, request: ConfigRequest): unknown =>
  (NORMALIZERS[block] as (value: unknown) => unknown)(request[block])

/** The configuration that a request asks for. */
export function normalizeConfig(
  request: ConfigRequest & { experimental?: CreateSession['experimental'] },
): SessionConfig {
  const {
    assistive_prompt_config: prompt,
    permissions,
    link_url_overwrite: base,
    session_config_id: saved,
  } = request.experimental ?? {}
  const experimental = dropEmpty({
    assistive_prompt_config: prompt,
    permissions,
    link_url_overwrite: base,
    source_session_config: saved ? { id: saved } : undefined,
  })
  return {
    ...Object.fromEntries(
      CONFIG_BLOCKS.filter((block) => request[block] !== undefined && request[block] !== null).map(
        (block) => [block, normalizeBlock(block, request)],
      ),
    ),
    ...(Object.keys(experimental).length ? { experimental } : {}),
  } as SessionConfig
}

/** A configuration with a change made: a block that is not there stays, `null` drops it. */
export function applyPatch(
  config: SessionConfig,
  { experimental, expected_config_version: _version, ...request }: PatchSession,
): SessionConfig {
  const next: Record<string, unknown> = { ...config }
  for (const block of CONFIG_BLOCKS) {
    if (request[block] === undefined) continue
    if (request[block] === null) delete next[block]
    else if (MERGED_BLOCKS.has(block))
      next[block] = mergeBlock(
        config[block] as Readonly<Record<string, unknown>> | undefined,
        request[block] as Readonly<Record<string, unknown>>,
      )
    else next[block] = normalizeBlock(block, request)
  }
  // What only means something with several accounts goes with them.
  if (request.multi_account?.enable === false) next['multi_account'] = { enable: false }
  if (experimental !== undefined) {
    const { source_session_config: source, ...known } = config.experimental ?? {}
    const experimentalBlock = {
      ...(experimental === null ? {} : mergeBlock(known, experimental)),
      ...(source && { source_session_config: source }),
    }
    if (Object.keys(experimentalBlock).length) next['experimental'] = experimentalBlock
    else delete next['experimental']
  }
  return next as SessionConfig
}

const mergeBlock = (
  known: Readonly<Record<string, unknown>> = {},
  change: Readonly<Record<string, unknown>>,
) =>
  dropEmpty({
    ...known,
    ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
  })
