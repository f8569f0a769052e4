import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuthConfig } from '../../../contract/auth-configs/index.ts'
import type { FieldDescriptor, SchemeSetup, Toolkit } from '../../../contract/toolkits/index.ts'
import { type ApiFailure, callApi, may, useApi, useMe } from '../../api/index.ts'
import { CredentialFields, Prepared, Steps } from './preparation.tsx'
import { Progress, type ConnectLink } from './progress.tsx'
import { otherSignIns, signInName, SignInChoice } from './sign-in-choice.tsx'
import {
  Button,
  Card,
  Form,
  FormError,
  Loaded,
  RestrictedForms,
  Select,
  TextField,
} from '../../components/index.ts'

interface ToolkitSetup {
  name: string
  schemes: SchemeSetup[]
}
interface Input {
  /** Undefined: one is created from `scheme` and `credentials`. */
  authConfigId: string | undefined
  scheme: SchemeSetup
  credentials: Record<string, string>
  userId: string
  /** Auth configs of other schemes that the page offers too. */
  alternatives: string[]
}

/**
 * Connects an account in two steps: the OAuth app or nothing (an auth config), then the page on which a user
 * signs in or enters a key. Every scheme uses the same page that end users see.
 */
export function ConnectWizard({ slug, name }: { slug: string; name: string }) {
  const me = useMe()
  const setup = useApi<ToolkitSetup>({ path: `/toolkits/${slug}/setup` })
  const toolkit = useApi<Toolkit>({ path: `/toolkits/${slug}` })
  const configs = useApi<{ items: AuthConfig[] }>({
    path: '/auth_configs',
    query: { toolkit_slug: slug, limit: 100 },
  })
  const all = setup.data && toolkit.data && configs.data
  const error = setup.error ?? toolkit.error ?? configs.error
  return (
    <Loaded
      query={{
        ...setup,
        error,
        data: all && { schemes: setup.data.schemes, toolkit: toolkit.data, configs: all.items },
      }}
    >
      {(data) => (
        <RestrictedForms isAllowed={may(me.data, 'connected_accounts:write')}>
          <WizardForm slug={slug} name={name} {...data} />
        </RestrictedForms>
      )}
    </Loaded>
  )
}

interface WizardProps {
  slug: string
  name: string
  schemes: SchemeSetup[]
  toolkit: Toolkit
  configs: AuthConfig[]
}

function WizardForm({ slug, name, schemes, toolkit, configs }: WizardProps) {
  const [mode, setMode] = useState((schemes.find(({ managed }) => managed) ?? schemes[0])?.mode ?? '')
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [userId, setUserId] = useState('default')
  const [isNew, setNew] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const scheme = schemes.find((one) => one.mode === mode) ?? schemes[0]
  const connect = useConnect(slug)
  if (!scheme) return null
  const existing = configs.find((one) => one.auth_scheme === scheme.mode && one.status === 'ENABLED')
  const fields = scheme.managed ? [] : requiredFields(toolkit, scheme.mode)
  const faster = schemes.find((one) => !one.managed && requiredFields(toolkit, one.mode).length === 0)
  const reused = isNew && fields.length > 0 ? undefined : existing
  const others = otherSignIns(schemes, configs, scheme.mode)
  const alternatives = others.map(({ id }) => id).filter((id) => chosen.includes(id))
  if (connect.data)
    return <Progress link={connect.data} slug={slug} name={name} onAgain={() => connect.reset()} />
  return (
    <Form
      className="stack"
      onSubmit={() => connect.mutate({ authConfigId: reused?.id, scheme, credentials, userId, alternatives })}
    >
      <Card title={`1. Prepare ${name}`}>
        {schemes.length > 1 && (
          <Select
            label="How users sign in"
            value={scheme.mode}
            onChange={setMode}
            options={schemes.map((one) => ({ value: one.mode, label: signInName(one) }))}
          />
        )}
        {!reused && fields.length > 0 && <Faster scheme={faster} onChoose={setMode} />}
        {reused ? (
          <Prepared config={reused} onNew={fields.length > 0 ? () => setNew(true) : undefined} />
        ) : (
          <>
            <Steps scheme={scheme} name={name} />
            <CredentialFields fields={fields} values={credentials} onChange={setCredentials} />
          </>
        )}
      </Card>
      <Card title="2. Connect an account">
        <TextField
          label="User"
          hint="Your id of the person whose account it is. Calls name the same id."
          required
          maxLength={256}
          value={userId}
          onChange={(event) => setUserId(event.target.value)}
        />
        <SignInChoice options={others} chosen={chosen} onChange={setChosen} />
        <FormError failure={connect.error} />
        <Button type="submit" look="primary" isBusy={connect.isPending}>
          Continue
        </Button>
      </Card>
    </Form>
  )
}

/** Offers the way to sign in that needs no app at the provider: most people first try it with their own account. */
const Faster = ({ scheme, onChoose }: { scheme: SchemeSetup | undefined; onChoose(mode: string): void }) =>
  scheme ? (
    <p className="hint">
      Only trying it out, with your own account? It needs no app of your own:{' '}
      <Button isSmall onClick={() => onChoose(scheme.mode)}>
        Use {signInName(scheme)}
      </Button>
    </p>
  ) : null

const requiredFields = (toolkit: Toolkit, mode: string): FieldDescriptor[] =>
  toolkit.auth_config_details.find((one) => one.mode === mode)?.fields.auth_config_creation.required ?? []

/** Creates an auth config, unless one is chosen, and then a link for the user. */
function useConnect(slug: string) {
  const client = useQueryClient()
  return useMutation<ConnectLink, ApiFailure, Input>({
    mutationFn: async (input) => {
      const id = input.authConfigId ?? (await createAuthConfig(slug, input))
      return callApi<ConnectLink>({
        method: 'POST',
        path: '/connected_accounts/link',
        body: {
          auth_config_id: id,
          user_id: input.userId,
          ...(input.alternatives.length > 0 && { alternative_auth_config_ids: input.alternatives }),
        },
      })
    },
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [, path] }) => path === '/auth_configs' || path === '/connected_accounts',
      }),
  })
}

async function createAuthConfig(slug: string, { scheme, credentials }: Input): Promise<string> {
  const auth_config = scheme.managed
    ? { type: 'use_service_managed_auth' }
    : { type: 'use_custom_auth', authScheme: scheme.mode, credentials }
  const { auth_config: created } = await callApi<{ auth_config: { id: string } }>({
    method: 'POST',
    path: '/auth_configs',
    body: { toolkit: { slug }, auth_config },
  })
  return created.id
}
