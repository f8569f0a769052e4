import { Link, useParams } from 'wouter'
import type { AuthConfig } from '../../../contract/auth-configs/index.ts'
import type { ConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { schemeName } from '../../../contract/scheme-names.ts'
import type { Toolkit } from '../../../contract/toolkits/index.ts'
import type { Tool } from '../../../contract/tools/index.ts'
import { useApi, useApiList } from '../../api/index.ts'
import {
  Card,
  DateTime,
  EmptyState,
  Loaded,
  Page,
  Pagination,
  StatusBadge,
  Table,
  Tabs,
} from '../../components/index.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'
import { ConnectWizard } from './connect-wizard.tsx'

/** One application: how to connect it, its tools, triggers, auth configs, accounts and versions. */
export default function Application() {
  const { slug } = useParams<{ slug: string }>()
  const toolkit = useApi<Toolkit>({ path: `/toolkits/${slug}` })
  const [parameters, set] = useUrlFilters()
  const name = toolkit.data?.name ?? 'Application'
  const tabs = [
    { id: 'tools', label: 'Tools', content: <Tools slug={slug} /> },
    ...(toolkit.data?.no_auth
      ? []
      : [
          { id: 'connect', label: 'Connect', content: <ConnectWizard slug={slug} name={name} /> },
          { id: 'accounts', label: 'Accounts', content: <Accounts slug={slug} /> },
          { id: 'auth-configs', label: 'Auth configs', content: <AuthConfigs slug={slug} /> },
        ]),
    { id: 'triggers', label: 'Triggers', content: <Triggers slug={slug} /> },
    { id: 'versions', label: 'Versions', content: <Versions slug={slug} /> },
  ]
  const chosen = parameters.get('tab')
  return (
    <Page title={name} lead={toolkit.data?.meta.description}>
      <Loaded query={toolkit}>
        {() => (
          <Tabs
            label={`Parts of ${name}`}
            tabs={tabs}
            value={tabs.some(({ id }) => id === chosen) ? (chosen as string) : 'tools'}
            onChange={(tab) => set({ tab })}
          />
        )}
      </Loaded>
    </Page>
  )
}

function Tools({ slug }: { slug: string }) {
  const tools = useApiList<Tool>({ path: '/tools', query: { toolkit_slug: slug } })
  return (
    <Loaded query={{ ...tools, data: tools.rows }}>
      {(rows) => (
        <>
          <ul className="plain-list">
            {rows.map((tool) => (
              <li key={tool.slug}>
                <div className="grow">
                  <strong>{tool.name}</strong> <code>{tool.slug}</code>
                  <p className="hint">
                    <InlineCode>{tool.human_description}</InlineCode>
                  </p>
                </div>
                <Link href={`/playground?tool=${tool.slug}`} className="button plain small">
                  Try<span className="visually-hidden"> {tool.name}</span>
                </Link>
              </li>
            ))}
          </ul>
          <Pagination of={tools} />
        </>
      )}
    </Loaded>
  )
}

function Accounts({ slug }: { slug: string }) {
  const accounts = useApiList<ConnectedAccount>({
    path: '/connected_accounts',
    query: { toolkit_slugs: slug },
  })
  return (
    <Loaded query={{ ...accounts, data: accounts.rows }}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon="user" title="No account is connected yet">
            Open the tab Connect to connect the first one.
          </EmptyState>
        ) : (
          <Table
            label="Accounts"
            rows={rows}
            rowId={(row) => row.id}
            columns={[
              { id: 'user', header: 'User', cell: ({ row }) => row.original.user_id },
              {
                id: 'account',
                header: 'Account',
                cell: ({ row }) => row.original.identity?.label ?? row.original.id,
              },
              {
                id: 'status',
                header: 'Status',
                cell: ({ row }) => <StatusBadge status={row.original.status} />,
              },
              {
                id: 'created',
                header: 'Connected',
                cell: ({ row }) => <DateTime value={row.original.created_at} />,
              },
            ]}
          />
        )
      }
    </Loaded>
  )
}

function AuthConfigs({ slug }: { slug: string }) {
  const configs = useApiList<AuthConfig>({ path: '/auth_configs', query: { toolkit_slug: slug } })
  return (
    <Loaded query={{ ...configs, data: configs.rows }}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon="key" title="No auth config yet">
            Connecting creates one: it says how the users of this project sign in.
          </EmptyState>
        ) : (
          <Table
            label="Auth configs"
            rows={rows}
            rowId={(row) => row.id}
            columns={[
              { id: 'name', header: 'Name', cell: ({ row }) => row.original.name },
              { id: 'scheme', header: 'Scheme', cell: ({ row }) => schemeName(row.original.auth_scheme) },
              { id: 'accounts', header: 'Accounts', cell: ({ row }) => row.original.no_of_connections },
              {
                id: 'status',
                header: 'Status',
                cell: ({ row }) => <StatusBadge status={row.original.status} />,
              },
            ]}
          />
        )
      }
    </Loaded>
  )
}

interface TriggerType {
  slug: string
  name: string
  description: string
  type: string
}

function Triggers({ slug }: { slug: string }) {
  const types = useApiList<TriggerType>({ path: '/triggers_types', query: { toolkit_slugs: slug } })
  return (
    <Loaded query={{ ...types, data: types.rows }}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon="trigger" title="This application has no triggers" />
        ) : (
          <ul className="plain-list">
            {rows.map((type) => (
              <li key={type.slug}>
                <div className="grow">
                  <strong>{type.name}</strong> <code>{type.slug}</code>
                  <p className="hint">
                    <InlineCode>{type.description}</InlineCode>
                  </p>
                </div>
                <StatusBadge status={type.type} label={type.type === 'poll' ? 'Polling' : 'Webhook'} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function Versions({ slug }: { slug: string }) {
  const versions = useApi<{ items: { version: string; changes: string; created_at: string }[] }>({
    path: `/toolkits/${slug}/versions`,
  })
  return (
    <Loaded query={versions}>
      {({ items }) => (
        <Card>
          <dl className="pairs">
            {items.map(({ version, changes }) => (
              <div key={version}>
                <dt>
                  <code>{version}</code>
                </dt>
                <dd>{changes}</dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
    </Loaded>
  )
}
