import { useState } from 'react'
import { Link } from 'wouter'
import type { AuthConfig } from '../../../contract/auth-configs/index.ts'
import type { McpServer } from '../../../contract/mcp-servers/index.ts'
import { schemeName } from '../../../contract/scheme-names.ts'
import { may, useApiList, useMe } from '../../api/index.ts'
import { CheckField, Loaded, Pagination } from '../../components/index.ts'

const PAGE_SIZE = 100

export type AuthConfigList = ReturnType<typeof useAuthConfigs>

/**
 * The auth configs of applications, disabled ones too. Without the permission to see them, nothing is read. What was
 * read stays when the permission is lost, because it has the choices of a form.
 */
export function useAuthConfigs(toolkits: readonly string[]) {
  const me = useMe()
  const isAllowedNow = may(me.data, 'auth_configs:read')
  const [isAllowed, setAllowed] = useState(isAllowedNow)
  if (isAllowedNow && !isAllowed) setAllowed(true)
  const list = useApiList<AuthConfig>(
    isAllowed && toolkits.length > 0
      ? { path: '/auth_configs', query: { toolkit_slug: toolkits, show_disabled: true } }
      : undefined,
    PAGE_SIZE,
  )
  return { ...list, isAllowed }
}

/**
 * Returns the chosen auth configs that a server can have: those of its applications. An auth config that is not in a
 * complete list was deleted, and the API would reject it.
 */
export function usableAuthConfigs(
  chosen: readonly string[],
  toolkits: readonly string[],
  { rows, hasNextPage }: Pick<AuthConfigList, 'rows' | 'hasNextPage'>,
): string[] {
  if (!rows) return [...chosen]
  const toolkitOf = new Map(rows.map(({ id, toolkit }) => [id, toolkit.slug]))
  return chosen.filter((id) => {
    const toolkit = toolkitOf.get(id)
    return toolkit === undefined ? hasNextPage : toolkits.includes(toolkit)
  })
}

interface AuthConfigChoiceProps {
  toolkits: readonly string[]
  list: AuthConfigList
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

/** Which auth configs each application of a server uses. Nothing for applications that have none. */
export function AuthConfigChoice({ toolkits, list, chosen, onChange }: AuthConfigChoiceProps) {
  if (!list.isAllowed)
    return <p className="hint">You may not see auth configs. The server keeps those that it has.</p>
  if (toolkits.length === 0) return null
  return (
    <Loaded query={{ ...list, data: list.rows }} lines={2}>
      {(rows) => (
        <>
          {toolkits.map((slug) => (
            <ToolkitChoice
              key={slug}
              slug={slug}
              configs={rows.filter(({ toolkit }) => toolkit.slug === slug)}
              chosen={chosen}
              onChange={onChange}
            />
          ))}
          <Pagination of={list} />
        </>
      )}
    </Loaded>
  )
}

interface ToolkitChoiceProps extends Pick<AuthConfigChoiceProps, 'chosen' | 'onChange'> {
  slug: string
  configs: readonly AuthConfig[]
}

function ToolkitChoice({ slug, configs, chosen, onChange }: ToolkitChoiceProps) {
  if (configs.length === 0) return null
  return (
    <fieldset>
      <legend>Auth configs of {slug}</legend>
      <p className="hint">Without a choice, each user’s latest account of the application is used.</p>
      {configs.map((config) => (
        <CheckField
          key={config.id}
          label={config.name}
          hint={describe(config)}
          checked={chosen.includes(config.id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, config.id] : chosen.filter((id) => id !== config.id))
          }
        />
      ))}
    </fieldset>
  )
}

const describe = ({ auth_scheme: scheme, no_of_connections: accounts, status }: AuthConfig): string =>
  [
    ...(scheme === undefined ? [] : [schemeName(scheme)]),
    accounts === 1 ? '1 account' : `${accounts} accounts`,
    ...(status === 'DISABLED' ? ['disabled'] : []),
  ].join(', ')

/** Names the auth configs of a server, with the applications that use them. */
export function UsedAuthConfigs({ server }: { server: McpServer }) {
  const { rows = [] } = useAuthConfigs(server.auth_config_ids.length > 0 ? server.toolkits : [])
  if (server.auth_config_ids.length === 0)
    return <span className="hint">any: each user’s latest account of the application is used</span>
  return (
    <ul className="plain-list">
      {server.auth_config_ids.map((id) => {
        const config = rows.find((one) => one.id === id)
        return (
          <li key={id}>
            {config ? (
              <Link href={`/applications/${config.toolkit.slug}?tab=auth-configs`}>
                {config.toolkit.slug}: {config.name}
              </Link>
            ) : (
              <code>{id}</code>
            )}
          </li>
        )
      })}
    </ul>
  )
}
