import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '../../../contract/route.ts'
import type { createDemoProject } from '../../../contract/projects/index.ts'
import { chooseProject, currentProject, ME_KEY, useApiMutation, useMe, useStore } from '../../api/index.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/field.tsx'
import { Card } from '../../components/page.tsx'
import { showToast } from '../../components/toast.tsx'

type Created = ReplyOf<typeof createDemoProject>

/** Offers demo data to an administrator; in the demo project, says what it is and removes it. */
export function DemoData() {
  const { data: me } = useMe()
  const current = useStore(currentProject)
  const demo = me?.projects.find((project) => project.is_demo)
  if (demo && demo.id === current) return <AboutDemo id={demo.id} />
  if (demo)
    return (
      <Button icon="play" onClick={() => chooseProject(demo.id)}>
        Open the demo project
      </Button>
    )
  return me?.is_administrator ? <LoadDemo /> : null
}

function LoadDemo() {
  const client = useQueryClient()
  const load = useApiMutation<void, Created>(() => ({ method: 'POST', path: '/org/owner/project/demo' }), {
    async onSuccess({ id }) {
      await client.invalidateQueries({ queryKey: ME_KEY })
      chooseProject(id)
      showToast('The demo project has executions of the last seven days.')
    },
  })
  return (
    <div className="stack">
      <p className="hint">
        Only looking? Demo data is a separate project with simulated applications: logs, an approval, a
        trigger. Nothing leaves this server.
      </p>
      <p>
        <Button icon="plus" isBusy={load.isPending} onClick={() => load.mutate()}>
          Load demo data
        </Button>
      </p>
      <FormError failure={load.error} />
    </div>
  )
}

function AboutDemo({ id }: { id: string }) {
  const client = useQueryClient()
  const { data: me } = useMe()
  const [isRemoving, setRemoving] = useState(false)
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path: `/org/owner/project/${id}` }), {
    async onSuccess() {
      const other = me?.projects.find((project) => !project.is_demo)
      // First, so that the removed project is not taken for one that the person has lost.
      if (other) chooseProject(other.id)
      await client.invalidateQueries({ queryKey: ME_KEY })
      showToast('The demo project was removed.')
    },
  })
  const mayRemove = me?.is_administrator && (me.kind !== 'member' || me.role === 'owner')
  return (
    <Card
      title="This is a demo project"
      actions={
        mayRemove && (
          <Button look="quiet" isSmall icon="trash" onClick={() => setRemoving(true)}>
            Remove demo data
          </Button>
        )
      }
    >
      <p>
        GitHub, Slack, Stripe and Gmail are simulated here, with the users ada, grace and linus. Run tools in
        the playground, decide the refund under Approvals, create an issue and watch the trigger. No request
        leaves this server.
      </p>
      <ConfirmDialog
        title="Remove the demo project?"
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        request={remove}
        action="Remove demo data"
      >
        <p>Its users, accounts, logs and keys go with it. Your other projects are not affected.</p>
      </ConfirmDialog>
    </Card>
  )
}
