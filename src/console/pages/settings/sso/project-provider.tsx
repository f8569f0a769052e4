import type { readMcpOpenIdProvider } from '../../../../contract/mcp-authorization/index.ts'
import type { ReplyOf } from '../../../../contract/route.ts'
import { useApi } from '../../../api/index.ts'
import { Card, errorOf, Loaded, TextField } from '../../../components/index.ts'
import { useDraft } from '../../../components/use-draft.ts'
import { clientBody, clientDraft, ClientFields, ScopesField } from './client-fields.tsx'
import { ProviderForm } from './provider-form.tsx'

const PATH = '/mcp/authorization/openid_provider'
type Reply = ReplyOf<typeof readMcpOpenIdProvider>

/** The provider at which users of MCP clients sign in to this project. */
export function ProjectProvider() {
  const reply = useApi<Reply>({ path: PATH })
  return (
    <Card
      title="Sign-in of users of MCP clients"
      description="The people for whom agents work. They sign in there when they connect a program to an MCP server of this project."
    >
      <Loaded query={reply}>{(data) => <ProjectForm reply={data} />}</Loaded>
    </Card>
  )
}

function ProjectForm({ reply: { provider, redirect_uri: redirectUri } }: { reply: Reply }) {
  const { draft, set, isOutdated, reset } = useDraft({
    ...clientDraft(provider, ''),
    claim: provider?.user_id_claim ?? 'sub',
  })
  return (
    <ProviderForm
      path={PATH}
      body={{ ...clientBody(draft), ...(draft.claim.trim() && { user_id_claim: draft.claim.trim() }) }}
      isStored={provider !== null}
      removal={
        <p>Users sign in with a link or on your own page from now on. Connected programs stay connected.</p>
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
            who="users"
            redirectUri={redirectUri}
            hasSecret={provider?.has_client_secret ?? false}
          />
          <TextField
            label="Claim with the user ID"
            hint="Its text is the user ID of the project: sub, or another claim. An e-mail address counts only if the provider verified it."
            value={draft.claim}
            onChange={(event) => set({ claim: event.target.value })}
            error={errorOf(failure, 'user_id_claim')}
          />
          <details>
            <summary>More settings</summary>
            <ScopesField draft={draft} set={set} failure={failure} />
          </details>
        </>
      )}
    </ProviderForm>
  )
}
