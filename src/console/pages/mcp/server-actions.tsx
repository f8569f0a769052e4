import { useState } from 'react'
import { useLocation } from 'wouter'
import type { McpServer } from '../../../contract/mcp-servers/index.ts'
import { may, useApiMutation, useMe } from '../../api/index.ts'
import { Button, ConfirmDialog, Permitted, showToast } from '../../components/index.ts'
import { EditServer } from './server-form.tsx'

/** What a person may do with an MCP server: edit it, delete it. */
export function ServerActions({ server }: { server: McpServer }) {
  const me = useMe()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path: `/mcp/${server.id}` }), {
    // Not the server itself: it would be read once more, and not be found.
    invalidates: ['/mcp/servers'],
    onSuccess() {
      navigate('/mcp')
      showToast('The MCP server is deleted')
    },
  })
  const isAllowed = may(me.data, 'sessions:write')
  return (
    <>
      {isAllowed && (
        <>
          <Button onClick={() => setOpen('edit')}>Edit</Button>
          <Button look="danger" onClick={() => setOpen('delete')}>
            Delete
          </Button>
        </>
      )}
      <Permitted isAllowed={isAllowed}>
        {open === 'edit' && (
          <EditServer
            server={server}
            onClose={close}
            onSaved={() => {
              close()
              showToast('The MCP server is changed')
            }}
          />
        )}
        <ConfirmDialog
          title={`Delete ${server.name}?`}
          action="Delete server"
          isOpen={open === 'delete'}
          request={remove}
          onClose={close}
        >
          <p>
            Its URLs stop working at once for every client. Connected accounts stay. This cannot be undone.
          </p>
        </ConfirmDialog>
      </Permitted>
    </>
  )
}
