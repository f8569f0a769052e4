import { useState } from 'react'
import type { McpServer } from '../../../contract/mcp-servers/index.ts'
import { type ApiRequest, useApiMutation } from '../../api/index.ts'
import { CheckField, Dialog, errorOf, Form, FormActions, TextField } from '../../components/index.ts'
import { Picker } from './picker.tsx'

type Draft = Pick<McpServer, 'name' | 'toolkits' | 'allowed_tools' | 'managed_auth_via_service'>

interface ServerFormProps {
  title: string
  /** Text of the button that sends the form. */
  action: string
  draft: Draft
  request(draft: Draft): ApiRequest
  onSaved(server: McpServer): void
  onClose(): void
}

const NEW: Draft = { name: '', toolkits: [], allowed_tools: [], managed_auth_via_service: true }

/** A form for a new MCP server. */
export const AddServer = (props: Pick<ServerFormProps, 'onSaved' | 'onClose'>) => (
  <ServerForm
    {...props}
    title="Create MCP server"
    action="Create server"
    draft={NEW}
    request={(body) => ({ method: 'POST', path: '/mcp/servers/custom', body })}
  />
)

/** A form for the name, applications and tools of an MCP server. It sends only what was changed. */
export const EditServer = ({
  server,
  ...props
}: Pick<ServerFormProps, 'onSaved' | 'onClose'> & { server: McpServer }) => (
  <ServerForm
    {...props}
    title="Edit MCP server"
    action="Save changes"
    draft={server}
    request={(draft) => ({ method: 'PATCH', path: `/mcp/${server.id}`, body: changesOf(server, draft) })}
  />
)

const FIELDS = ['name', 'toolkits', 'allowed_tools', 'managed_auth_via_service'] as const

const changesOf = (before: Draft, after: Draft): Partial<Draft> =>
  Object.fromEntries(FIELDS.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]))

function ServerForm({ title, action, draft: initial, request, onSaved, onClose }: ServerFormProps) {
  const [draft, setDraft] = useState(initial)
  const change = (fields: Partial<Draft>) => setDraft({ ...draft, ...fields })
  const save = useApiMutation<Draft, McpServer>(request, { invalidates: ['/mcp/'], onSuccess: onSaved })
  return (
    <Dialog title={title} isOpen onClose={onClose} isWide>
      <Form onSubmit={() => save.mutate(draft)}>
        <TextField
          label="Name"
          required
          minLength={4}
          maxLength={30}
          placeholder="Issue helper"
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          error={errorOf(save.error, 'name')}
          hint="4 to 30 letters, digits, spaces and hyphens."
        />
        <Picker
          label="Add an application"
          listLabel="Chosen applications"
          path="/toolkits"
          chosen={draft.toolkits}
          onChange={(toolkits) => change({ toolkits: [...toolkits] })}
        />
        <Picker
          label="Add a tool"
          listLabel="Chosen tools"
          path="/tools"
          query={{ toolkit_slug: draft.toolkits.join(',') || undefined }}
          chosen={draft.allowed_tools}
          onChange={(tools) => change({ allowed_tools: [...tools] })}
        />
        <p className="hint">
          An application with chosen tools offers only these; without, it offers all of them.
        </p>
        <CheckField
          label="Users can connect their accounts"
          hint="Clients see a tool that gives the user a link to connect what is missing."
          checked={draft.managed_auth_via_service}
          onChange={(event) => change({ managed_auth_via_service: event.target.checked })}
        />
        <FormActions
          request={save}
          action={action}
          isDisabled={draft.toolkits.length === 0 && draft.allowed_tools.length === 0}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}
