import type { McpServer } from '../../../contract/mcp-servers/index.ts'
import { type ApiRequest, useApiMutation } from '../../api/index.ts'
import { CheckField, Dialog, errorOf, Form, FormActions, TextField } from '../../components/index.ts'
import { Outdated } from '../../components/outdated.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { AuthConfigChoice, type AuthConfigList, useAuthConfigs, usableAuthConfigs } from './auth-configs.tsx'
import { Picker } from './picker.tsx'

const FIELDS = ['name', 'toolkits', 'auth_config_ids', 'allowed_tools', 'managed_auth_via_service'] as const
type Draft = Pick<McpServer, (typeof FIELDS)[number]>

interface ServerFormProps {
  title: string
  /** Text of the button that sends the form. */
  action: string
  /** What is stored, or the start of a new server. */
  stored: Draft
  request(draft: Draft): ApiRequest
  onSaved(server: McpServer): void
  onClose(): void
}

const NEW: Draft = {
  name: '',
  toolkits: [],
  auth_config_ids: [],
  allowed_tools: [],
  managed_auth_via_service: true,
}

const fieldsOf = (server: McpServer): Draft => ({
  name: server.name,
  toolkits: server.toolkits,
  auth_config_ids: server.auth_config_ids,
  allowed_tools: server.allowed_tools,
  managed_auth_via_service: server.managed_auth_via_service,
})

/** A form for a new MCP server. */
export const AddServer = (props: Pick<ServerFormProps, 'onSaved' | 'onClose'>) => (
  <ServerForm
    {...props}
    title="Create MCP server"
    action="Create server"
    stored={NEW}
    request={(body) => ({ method: 'POST', path: '/mcp/servers/custom', body })}
  />
)

/** A form for the name, applications, auth configs and tools of an MCP server. It sends only what was changed. */
export const EditServer = ({
  server,
  ...props
}: Pick<ServerFormProps, 'onSaved' | 'onClose'> & { server: McpServer }) => (
  <ServerForm
    {...props}
    title="Edit MCP server"
    action="Save changes"
    stored={fieldsOf(server)}
    request={(draft) => ({ method: 'PATCH', path: `/mcp/${server.id}`, body: changesOf(server, draft) })}
  />
)

/** Returns the fields that differ. Auth configs bring their applications: a change of them sends both. */
function changesOf(before: Draft, after: Draft): Partial<Draft> {
  const isChanged = (name: keyof Draft) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const changed = FIELDS.filter(
    (name) => isChanged(name) || (name === 'toolkits' && isChanged('auth_config_ids')),
  )
  return Object.fromEntries(changed.map((name) => [name, after[name]]))
}

function ServerForm({ title, action, stored, request, onSaved, onClose }: ServerFormProps) {
  const { draft, set, isOutdated, reset } = useDraft(stored)
  const save = useApiMutation<Draft, McpServer>(request, { invalidates: ['/mcp/'], onSuccess: onSaved })
  // With the applications that were removed, so that their auth configs are known and removed too.
  const configs = useAuthConfigs([...new Set([...stored.toolkits, ...draft.toolkits])])
  const isEmpty = draft.toolkits.length === 0 && draft.allowed_tools.length === 0
  const send = () =>
    save.mutate({
      ...draft,
      auth_config_ids: usableAuthConfigs(draft.auth_config_ids, draft.toolkits, configs),
    })
  return (
    <Dialog title={title} isOpen onClose={onClose} isWide>
      <Form onSubmit={send}>
        <Outdated isShown={isOutdated && !save.isPending} onReset={reset} />
        <TextField
          label="Name"
          required
          minLength={4}
          maxLength={30}
          placeholder="Issue helper"
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
          error={errorOf(save.error, 'name')}
          hint="4 to 30 letters, digits, spaces and hyphens."
        />
        <Offer draft={draft} configs={configs} onChange={set} />
        <CheckField
          label="Users can connect their accounts"
          hint="Clients see a tool that gives the user a link to connect what is missing."
          checked={draft.managed_auth_via_service}
          onChange={(event) => set({ managed_auth_via_service: event.target.checked })}
        />
        <FormActions
          request={save}
          action={action}
          isDisabled={isEmpty || configs.isLoading}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}

interface OfferProps {
  draft: Draft
  configs: AuthConfigList
  onChange(fields: Partial<Draft>): void
}

/** What a server offers: applications with their auth configs, and tools. */
const Offer = ({ draft, configs, onChange }: OfferProps) => (
  <>
    <Picker
      label="Add an application"
      listLabel="Chosen applications"
      path="/toolkits"
      chosen={draft.toolkits}
      onChange={(toolkits) => onChange({ toolkits: [...toolkits] })}
    />
    <AuthConfigChoice
      toolkits={draft.toolkits}
      list={configs}
      chosen={draft.auth_config_ids}
      onChange={(ids) => onChange({ auth_config_ids: [...ids] })}
    />
    <Picker
      label="Add a tool"
      listLabel="Chosen tools"
      path="/tools"
      query={{ toolkit_slug: draft.toolkits.join(',') || undefined }}
      chosen={draft.allowed_tools}
      onChange={(tools) => onChange({ allowed_tools: [...tools] })}
    />
    <p className="hint">
      An application with chosen tools offers only these; without, it offers all of them.
    </p>
  </>
)
