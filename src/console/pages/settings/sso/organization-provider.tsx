import type { Sso, SsoProvider } from '../../../../contract/sso.ts'
import { type ApiFailure, useApi } from '../../../api/index.ts'
import { Card, CheckField, errorOf, Loaded, Permitted, Select, TextField } from '../../../components/index.ts'
import { useDraft } from '../../../components/use-draft.ts'
import { Facts } from '../../../components/facts.tsx'
import { clientBody, type ClientDraft, clientDraft, ClientFields, ScopesField } from './client-fields.tsx'
import { OnlyWay } from './only-way.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ROLE_OPTIONS } from '../role-options.ts'
import { type MappedRole, RoleMap } from './role-map.tsx'

const PATH = '/org/sso'
const NO_ROLE = 'none'
const SCOPES = 'openid email profile'

interface Draft extends ClientDraft {
  domains: string
  trusts_email: boolean
  role_claim: string
  roles: MappedRole[]
  default_role: string
}

const draftOf = (provider: SsoProvider | null): Draft => ({
  ...clientDraft(provider, SCOPES),
  domains: provider?.allowed_domains.join(', ') ?? '',
  trusts_email: provider?.trusts_email ?? false,
  role_claim: provider?.role_claim ?? 'groups',
  roles: Object.entries(provider?.role_map ?? {}).map(([group, role], key) => ({ key, group, role })),
  default_role: provider?.default_role ?? NO_ROLE,
})

const bodyOf = (draft: Draft) => ({
  ...clientBody(draft),
  allowed_domains: draft.domains
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean),
  trusts_email: draft.trusts_email,
  ...(draft.role_claim.trim() && { role_claim: draft.role_claim.trim() }),
  role_map: Object.fromEntries(draft.roles.map(({ group, role }) => [group.trim(), role])),
  default_role: draft.default_role === NO_ROLE ? null : draft.default_role,
})

/** The provider at which members sign in to the console. */
export function OrganizationProvider({ mayChange }: { mayChange: boolean }) {
  const sso = useApi<Sso>({ path: PATH })
  const isChangeable = sso.data?.source !== 'server_settings'
  return (
    <>
      <Card
        title="Sign-in of members"
        description="The people of your organization who use this console. It applies to all projects."
      >
        <Loaded query={sso}>
          {(data) => (
            <Permitted isAllowed={mayChange && isChangeable} otherwise={<ReadOnly sso={data} />}>
              <OrganizationForm sso={data} />
            </Permitted>
          )}
        </Loaded>
      </Card>
      {mayChange && isChangeable && sso.data?.provider && (
        <OnlyWay sso={sso.data} provider={sso.data.provider} />
      )}
    </>
  )
}

function OrganizationForm({ sso }: { sso: Sso }) {
  const { draft, set, isOutdated, reset } = useDraft(draftOf(sso.provider))
  return (
    <ProviderForm
      path={PATH}
      body={bodyOf(draft)}
      isStored={sso.provider !== null}
      removal={
        <p>
          Members sign in with a password or a passkey from now on. Create password links for those who have
          none, on the page Members. Sessions go on until they end.
        </p>
      }
      isOutdated={isOutdated}
      onReset={reset}
      onSaved={reset}
    >
      {(failure) => (
        <>
          <ClientFields
            draft={draft}
            set={set}
            failure={failure}
            who="members"
            redirectUri={sso.redirect_uri}
            hasSecret={sso.provider?.has_client_secret ?? false}
          />
          <AccessFields draft={draft} set={set} failure={failure} />
        </>
      )}
    </ProviderForm>
  )
}

interface FieldsProps {
  draft: Draft
  set(change: Partial<Draft>): void
  failure: ApiFailure | null
}

/** Who may sign in, and with which role. */
const AccessFields = ({ draft, set, failure }: FieldsProps) => (
  <>
    <TextField
      label="Domains of e-mail addresses"
      placeholder="example.com, example.org"
      hint="Only verified addresses of these domains may sign in. Empty: all domains."
      value={draft.domains}
      onChange={(event) => set({ domains: event.target.value })}
      error={failure?.fields.find(({ field }) => field.startsWith('allowed_domains'))?.message}
    />
    <RoleMap rows={draft.roles} onChange={(roles) => set({ roles })} />
    <Select
      label="Role of everybody else"
      options={[
        { value: NO_ROLE, label: 'None', hint: 'They need an invitation, or a group above' },
        ...ROLE_OPTIONS,
      ]}
      value={draft.default_role}
      onChange={(role) => set({ default_role: role })}
    />
    <details>
      <summary>More settings</summary>
      <ScopesField draft={draft} set={set} failure={failure} />
      <TextField
        label="Claim with the groups"
        value={draft.role_claim}
        onChange={(event) => set({ role_claim: event.target.value })}
        error={errorOf(failure, 'role_claim')}
      />
      <CheckField
        label="Take e-mail addresses as verified if the provider does not say so"
        hint="Entra ID needs it. Only for a provider at which nobody can enter the address of another person."
        checked={draft.trusts_email}
        onChange={(event) => set({ trusts_email: event.target.checked })}
      />
    </details>
  </>
)

const ReadOnly = ({ sso: { source, provider } }: { sso: Sso }) => (
  <>
    <p className="hint">
      {source === 'server_settings'
        ? 'The settings of the server name this provider (CONSOLE_OIDC_ISSUER), so it cannot be changed here.'
        : provider
          ? 'Only an owner can change it.'
          : 'There is no identity provider. Only an owner can set one.'}
    </p>
    {provider && (
      <Facts
        items={[
          ['Provider', provider.name],
          ['Issuer', <code key="issuer">{provider.issuer}</code>],
          ['Client ID', <code key="client">{provider.client_id}</code>],
          ['Domains', provider.allowed_domains.join(', ') || 'all'],
          ['Only way to sign in', provider.is_only ? 'Yes' : 'No'],
        ]}
      />
    )}
  </>
)
