import type { ApiFailure } from '../../../api/index.ts'
import { CodeBlock, errorOf, TextField } from '../../../components/index.ts'

/** A provider and this server as its client, as a form has them. */
export interface ClientDraft {
  issuer: string
  client_id: string
  /** Empty: the stored secret stays. */
  client_secret: string
  name: string
  scopes: string
}

export const clientDraft = (
  provider: Omit<ClientDraft, 'client_secret'> | null,
  scopes: string,
): ClientDraft => ({
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  name: provider?.name ?? '',
  scopes: provider?.scopes ?? scopes,
})

/** Returns the fields of the API. Empty ones are left out: they have defaults, and the secret stays. */
export const clientBody = ({ issuer, client_id, client_secret: secret, name, scopes }: ClientDraft) => ({
  issuer: issuer.trim(),
  client_id: client_id.trim(),
  ...(secret && { client_secret: secret }),
  ...(name.trim() && { name: name.trim() }),
  ...(scopes.trim() && { scopes: scopes.trim().replace(/\s+/g, ' ') }),
})

interface Props {
  draft: ClientDraft
  set(change: Partial<ClientDraft>): void
  failure: ApiFailure | null
  /** Who signs in, for the label of the redirect URI. */
  who: string
  redirectUri: string
  hasSecret: boolean
}

/** Redirect URI, issuer, client and name: what every provider needs. */
export const ClientFields = ({ draft, set, failure, redirectUri, who, hasSecret }: Props) => (
  <>
    <CodeBlock label={`Redirect URI for ${who}, to register at the provider`} code={redirectUri} />
    <TextField
      label="Issuer"
      type="url"
      required
      placeholder="https://login.example.com"
      hint="The part of the URL of the provider before /.well-known/openid-configuration."
      value={draft.issuer}
      onChange={(event) => set({ issuer: event.target.value })}
      error={errorOf(failure, 'issuer')}
    />
    <TextField
      label="Client ID"
      required
      autoComplete="off"
      value={draft.client_id}
      onChange={(event) => set({ client_id: event.target.value })}
      error={errorOf(failure, 'client_id')}
    />
    <TextField
      label="Client secret"
      type="password"
      autoComplete="new-password"
      hint={
        hasSecret
          ? 'A secret is stored. Leave the field empty to keep it.'
          : 'Leave it empty for a public client, which uses PKCE only.'
      }
      value={draft.client_secret}
      onChange={(event) => set({ client_secret: event.target.value })}
      error={errorOf(failure, 'client_secret')}
    />
    <TextField
      label="Name of the provider"
      placeholder="Example SSO"
      hint="For the button “Continue with …”."
      maxLength={80}
      value={draft.name}
      onChange={(event) => set({ name: event.target.value })}
      error={errorOf(failure, 'name')}
    />
  </>
)

export const ScopesField = ({ draft, set, failure }: Pick<Props, 'draft' | 'set' | 'failure'>) => (
  <TextField
    label="Scopes"
    hint="Separated by spaces, with openid. Some providers send groups only with a scope of its own."
    value={draft.scopes}
    onChange={(event) => set({ scopes: event.target.value })}
    error={errorOf(failure, 'scopes')}
  />
)
