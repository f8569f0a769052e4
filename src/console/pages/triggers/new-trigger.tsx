import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import type { ConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import type { TriggerType } from '../../../contract/triggers/index.ts'
import { type ApiRequest, useApi, useApiMutation, useScreenRequest } from '../../api/index.ts'
import {
  Button,
  Card,
  Combobox,
  EmptyState,
  FormError,
  Loaded,
  Page,
  Select,
  showToast,
} from '../../components/index.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { SchemaForm } from '../../components/schema-form.tsx'

const ACCOUNTS_MAX = 100

interface Items<T> {
  items: T[]
}

/** Creates a trigger in three steps: the event, the account, the configuration. The event is in the URL. */
export default function NewTrigger() {
  const [parameters, setParameters] = useSearchParams()
  const slug = parameters.get('type') ?? ''
  const slugs = useApi<string[]>({ path: '/triggers_types/list/enum' })
  const type = useApi<TriggerType>(slug ? { path: `/triggers_types/${encodeURIComponent(slug)}` } : undefined)
  return (
    <Page
      title="New trigger"
      lead="The server watches an account and publishes an event when something happens there."
      actions={<Link href="/triggers">All triggers</Link>}
    >
      <div className="stack">
        <Card title="1. Event">
          <Loaded query={slugs}>
            {(all) => (
              <Combobox
                label="Event"
                placeholder="Type the name of an application…"
                value={slug}
                options={all.map((one) => ({ value: one, label: one }))}
                onChange={(next) => setParameters({ type: next }, { replace: true })}
              />
            )}
          </Loaded>
          {type.data && (
            <p className="hint">
              {type.data.toolkit.name}, {type.data.name}: <InlineCode>{type.data.description}</InlineCode>
            </p>
          )}
        </Card>
        {slug && <Loaded query={type}>{(data) => <AccountStep key={data.slug} type={data} />}</Loaded>}
      </div>
    </Page>
  )
}

function AccountStep({ type }: { type: TriggerType }) {
  const accounts = useApi<Items<ConnectedAccount>>({
    path: '/connected_accounts',
    query: { toolkit_slugs: type.toolkit.slug, statuses: 'ACTIVE', limit: ACCOUNTS_MAX },
  })
  const [chosen, setChosen] = useState<string>()
  return (
    <Loaded query={accounts}>
      {({ items }) => {
        const account = chosen ?? items[0]?.id
        if (account === undefined)
          return (
            <EmptyState icon="user" title={`No active account of ${type.toolkit.name}`}>
              <Link href={`/applications/${type.toolkit.slug}?tab=connect`}>Connect an account</Link> first,
              then come back: this page keeps the chosen event in its URL.
            </EmptyState>
          )
        return (
          <>
            <Card title="2. Account">
              <Select
                label="Account to watch"
                value={account}
                options={items.map(({ id, user_id: userId }) => ({ value: id, label: `${userId} (${id})` }))}
                onChange={setChosen}
              />
            </Card>
            <ConfigStep type={type} account={account} />
          </>
        )
      }}
    </Loaded>
  )
}

function ConfigStep({ type, account }: { type: TriggerType; account: string }) {
  const [, navigate] = useLocation()
  const [config, setConfig] = useState<Record<string, unknown>>({})
  const request = (value: Record<string, unknown>): ApiRequest => ({
    method: 'POST',
    path: `/trigger_instances/${type.slug}/upsert`,
    body: { connected_account_id: account, trigger_config: value },
  })
  useScreenRequest(request(config))
  const create = useApiMutation<Record<string, unknown>, { trigger_id: string }>(request, {
    invalidates: ['/trigger_instances', '/overview'],
    onSuccess({ trigger_id: id }) {
      showToast('The trigger is enabled', 'Send a test event to see what your application receives.')
      navigate(`/triggers?trigger=${id}`)
    },
  })
  return (
    <Card
      title="3. Configuration"
      description={
        type.type === 'poll'
          ? 'The application is asked once now, so that a configuration that cannot work is reported at once.'
          : 'The server registers a webhook at the application.'
      }
    >
      {type.instructions && <p className="hint">{type.instructions}</p>}
      <SchemaForm
        schema={{ ...type.config, title: '' }}
        value={config}
        onChange={setConfig}
        onSubmit={(value) => {
          if (!create.isPending) create.mutate(value)
        }}
      >
        <FormError failure={create.error} />
        <Button type="submit" look="primary" isBusy={create.isPending}>
          Create trigger
        </Button>
      </SchemaForm>
    </Card>
  )
}
