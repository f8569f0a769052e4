import type { CreateSession, PatchSession } from '../../contract/sessions.ts'
import type { SessionConfig, SessionTags, SessionToolLists } from './config.ts'

type Given = Omit<CreateSession, 'user_id' | 'experimental' | 'premium_usage'>
type Block = keyof Given & keyof SessionConfig

const lower = <T>(map: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(map).map(([toolkit, value]) => [toolkit.toLowerCase(), value]))
const toolkits = (list: readonly string[]): string[] => [...new Set(list.map((slug) => slug.toLowerCase()))]
const tools = (list: readonly string[]): string[] => [...new Set(list.map((slug) => slug.toUpperCase()))]

type Tags = NonNullable<Given['tags']>
function tagLists(given: Tags): SessionTags {
  if (Array.isArray(given)) return { enable: given }
  const { enable, disable, enabled, disabled, require_approval } = given as Exclude<Tags, readonly unknown[]>
  return present({ enable: enable ?? enabled, disable: disable ?? disabled, require_approval })
}

/** Without members that are not there; `null` in a block is its default. */
const present = <T extends object>(block: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(
    Object.entries(block).filter(([, value]) => value !== undefined && value !== null),
  ) as never

/** Each block of a request as it is stored. */
const NORMAL: { readonly [B in Block]: (given: NonNullable<Given[B]>) => SessionConfig[B] } = {
  toolkits: ({ enable, disable }) =>
    enable ? { enable: toolkits(enable) } : { disable: toolkits(disable ?? []) },
  auth_configs: lower,
  connected_accounts: (map) =>
    lower(
      Object.fromEntries(
        Object.entries(map).map(([toolkit, ids]) => [
          toolkit,
          typeof ids === 'string' ? [ids] : [...new Set(ids)],
        ]),
      ),
    ),
  manage_connections: present,
  tools: (map) =>
    lower(
      Object.fromEntries(
        Object.entries(map).map(([toolkit, { enable, disable, tags }]): [string, SessionToolLists] => [
          toolkit,
          present({
            enable: enable && tools(enable),
            disable: disable && tools(disable),
            tags: tags && tagLists(tags),
          }),
        ]),
      ),
    ),
  tags: tagLists,
  workbench: present,
  multi_account: present,
  preload: ({ tools: given }) => ({ tools: typeof given === 'string' ? 'all' : tools(given) }),
  search: present,
  execute: present,
  hooks: (list) => list,
}
export const BLOCKS = Object.keys(NORMAL) as readonly Block[]

/** These change member by member; the others are replaced as a whole. */
const MERGED: ReadonlySet<string> = new Set(['manage_connections', 'workbench', 'multi_account'])

const normal = (block: Block, given: Given): unknown =>
  (NORMAL[block] as (value: unknown) => unknown)(given[block])

/** The configuration that a request asks for. */
export function configOf(given: Given & { experimental?: CreateSession['experimental'] }): SessionConfig {
  const {
    assistive_prompt_config: prompt,
    permissions,
    link_url_overwrite: base,
    session_config_id: saved,
  } = given.experimental ?? {}
  const experimental = present({
    assistive_prompt_config: prompt,
    permissions,
    link_url_overwrite: base,
    source_session_config: saved ? { id: saved } : undefined,
  })
  return {
    ...Object.fromEntries(
      BLOCKS.filter((block) => given[block] !== undefined && given[block] !== null).map((block) => [
        block,
        normal(block, given),
      ]),
    ),
    ...(Object.keys(experimental).length ? { experimental } : {}),
  } as SessionConfig
}

/** A configuration with a change made: a block that is not there stays, `null` drops it. */
export function changed(
  config: SessionConfig,
  { experimental, expected_config_version: _version, ...given }: PatchSession,
): SessionConfig {
  const next: Record<string, unknown> = { ...config }
  for (const block of BLOCKS) {
    if (given[block] === undefined) continue
    if (given[block] === null) delete next[block]
    else if (MERGED.has(block))
      next[block] = merged(
        config[block] as Readonly<Record<string, unknown>> | undefined,
        given[block] as Readonly<Record<string, unknown>>,
      )
    else next[block] = normal(block, given)
  }
  // What only means something with several accounts goes with them.
  if (given.multi_account?.enable === false) next['multi_account'] = { enable: false }
  if (experimental !== undefined) {
    const { source_session_config: source, ...known } = config.experimental ?? {}
    const left = {
      ...(experimental === null ? {} : merged(known, experimental)),
      ...(source && { source_session_config: source }),
    }
    if (Object.keys(left).length) next['experimental'] = left
    else delete next['experimental']
  }
  return next as SessionConfig
}

const merged = (known: Readonly<Record<string, unknown>> = {}, change: Readonly<Record<string, unknown>>) =>
  present({
    ...known,
    ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
  })
