import { useState } from 'react'
import { useLocation } from 'wouter'
import type {
  rotateWebhookSecret,
  testWebhook,
  WebhookSubscription,
} from '../../../contract/webhooks/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { may, useApiMutation, useMe } from '../../api/index.ts'
import {
  Button,
  CodeBlock,
  ConfirmDialog,
  DateTime,
  Dialog,
  FormError,
  Menu,
  RestrictedForms,
  showToast,
  StatusBadge,
} from '../../components/index.ts'
import { startedText } from '../events/started-text.ts'

type TestResult = ReplyOf<typeof testWebhook>
type Rotated = ReplyOf<typeof rotateWebhookSecret>
type Question = 'rotate' | 'replay' | 'delete'

const CHANGED = ['/webhook_subscriptions', '/events', '/overview']
const DAY_MS = 86_400_000

/** Test, replay, rotation of the secret, deletion. */
export function WebhookActions({ subscription: { id } }: { subscription: WebhookSubscription }) {
  const me = useMe()
  const [question, setQuestion] = useState<Question>()
  const test = useApiMutation<void, TestResult>(
    () => ({ method: 'POST', path: `/webhook_subscriptions/${id}/test` }),
    { invalidates: CHANGED },
  )
  const isAllowed = may(me.data, 'webhooks:write')
  return (
    <>
      {isAllowed && (
        <>
          <Button icon="play" isBusy={test.isPending} onClick={() => test.mutate()}>
            Send test event
          </Button>
          <Menu
            trigger="More"
            label="More actions"
            items={[
              { label: 'Deliver all dead letters again…', onSelect: () => setQuestion('replay') },
              ...(me.data?.permissions === null
                ? [{ label: 'Rotate the secret…', onSelect: () => setQuestion('rotate') }]
                : []),
              { label: 'Delete…', isDanger: true, onSelect: () => setQuestion('delete') },
            ]}
          />
        </>
      )}
      <TestDialog test={test} />
      <RestrictedForms isAllowed={isAllowed}>
        <Questions id={id} question={question} onClose={() => setQuestion(undefined)} />
      </RestrictedForms>
    </>
  )
}

const TestDialog = ({ test }: { test: ReturnType<typeof useApiMutation<void, TestResult>> }) => (
  <Dialog
    title="Test event"
    isOpen={test.data !== undefined || test.error !== null}
    onClose={() => test.reset()}
  >
    <FormError failure={test.error} />
    {test.data && (
      <div className="stack">
        <p role="status">
          <StatusBadge
            status={test.data.delivered ? 'OK' : 'ERROR'}
            label={test.data.delivered ? 'Delivered' : 'Not delivered'}
          />{' '}
          {test.data.status === null ? 'No response' : `Status ${test.data.status}`} after{' '}
          {test.data.latency_ms} ms.
        </p>
        {test.data.error && <p className="field-error">{test.data.error}</p>}
        {test.data.answer && <CodeBlock label="Response" code={test.data.answer} />}
      </div>
    )}
  </Dialog>
)

interface QuestionProps {
  id: string
  question: Question | undefined
  onClose(): void
}

function Questions({ id, question, onClose }: QuestionProps) {
  const [, navigate] = useLocation()
  const path = `/webhook_subscriptions/${id}`
  const replay = useApiMutation<void, { queued: number }>(
    () => ({
      method: 'POST',
      path: '/events/replay',
      body: {
        subscription_id: id,
        only_dead: true,
        from: new Date(Date.now() - 30 * DAY_MS).toISOString(),
      },
    }),
    {
      invalidates: CHANGED,
      onSuccess: ({ queued }) => {
        onClose()
        showToast(startedText(queued))
      },
    },
  )
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path }), {
    onSuccess: () => navigate('/webhooks'),
  })
  return (
    <>
      <ConfirmDialog
        title="Deliver all dead letters again"
        action="Deliver again"
        isOpen={question === 'replay'}
        request={replay}
        onClose={onClose}
      >
        <p>Deliveries of the last 30 days that were given up start again, oldest first.</p>
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete the endpoint"
        action="Delete endpoint"
        isOpen={question === 'delete'}
        request={remove}
        onClose={onClose}
      >
        <p>The endpoint receives nothing from now on. Its pending deliveries are deleted.</p>
      </ConfirmDialog>
      <RotateDialog path={path} isOpen={question === 'rotate'} onClose={onClose} />
    </>
  )
}

function RotateDialog({ path, isOpen, onClose }: { path: string; isOpen: boolean; onClose(): void }) {
  const rotate = useApiMutation<void, Rotated>(
    () => ({ method: 'POST', path: `${path}/rotate_secret`, body: { overlap_hours: 24 } }),
    { invalidates: CHANGED },
  )
  const close = () => {
    rotate.reset()
    onClose()
  }
  if (!rotate.data)
    return (
      <ConfirmDialog
        title="Rotate the secret"
        action="Rotate secret"
        isOpen={isOpen}
        request={rotate}
        onClose={close}
      >
        <p>For 24 hours, deliveries carry signatures of the new and the former secret.</p>
      </ConfirmDialog>
    )
  return (
    <Dialog title="The new secret" isOpen={isOpen} onClose={close}>
      <p>
        Set it in your application. The former secret is valid until{' '}
        <DateTime value={rotate.data.former_secret_until} isExact />.
      </p>
      <CodeBlock label="Signing secret" code={rotate.data.secret} />
    </Dialog>
  )
}
