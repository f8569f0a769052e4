import { type ReactNode, useState } from 'react'
import type { ProviderTest } from '../../../../contract/openid-fields.ts'
import { type ApiFailure, type ApiRequest, useApiMutation } from '../../../api/index.ts'
import { Button, ConfirmDialog, Form, FormError, showToast } from '../../../components/index.ts'
import { Outdated } from '../../../components/outdated.tsx'
import { TestResult } from './test-result.tsx'

interface Props<Body> {
  /** Path of the provider, below which `/test` is. */
  path: string
  body: Body
  /** Whether there is a provider that can be removed. */
  isStored: boolean
  /** What happens when the provider is removed. */
  removal: ReactNode
  /** Another tab or person has stored other values since something was entered. */
  isOutdated: boolean
  onReset(): void
  onSaved(): void
  children(failure: ApiFailure | null): ReactNode
}

/** A form that tests, saves and removes a provider. Its fields are the children. */
export function ProviderForm<Body>(props: Props<Body>) {
  const { path, body, isStored, removal, isOutdated, onReset, onSaved, children } = props
  const [isRemoving, setRemoving] = useState(false)
  const [tested, setTested] = useState('')
  const send = (method: ApiRequest['method'], to = path) => ({ method, path: to, body })
  const test = useApiMutation<void, ProviderTest>(() => send('POST', `${path}/test`))
  const save = useApiMutation<void>(() => send('PUT'), {
    invalidates: [path],
    onSuccess: () => {
      showToast('Identity provider saved')
      onSaved()
    },
  })
  const text = JSON.stringify(body)
  const runTest = () => {
    save.reset()
    setTested(text)
    test.mutate()
  }
  const runSave = () => {
    test.reset()
    save.mutate()
  }
  return (
    <>
      <Form onSubmit={runSave}>
        {/* Before the fields and always on the screen, because the form is longer than one. */}
        <div className="actions on-top">
          {isStored && (
            <Button look="danger" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )}
          <Button isBusy={test.isPending} onClick={runTest}>
            Test
          </Button>
          <Button type="submit" look="primary" isBusy={save.isPending}>
            Save
          </Button>
        </div>
        <Outdated isShown={isOutdated && !save.isPending} onReset={onReset} />
        <FormError failure={save.error ?? test.error} />
        {test.data && tested === text && <TestResult test={test.data} />}
        {children(save.error ?? test.error)}
      </Form>
      {isRemoving && (
        <RemoveDialog path={path} onClose={() => setRemoving(false)}>
          {removal}
        </RemoveDialog>
      )}
    </>
  )
}

function RemoveDialog({ path, onClose, children }: { path: string; onClose(): void; children: ReactNode }) {
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path }), {
    invalidates: [path],
    onSuccess: () => {
      showToast('Identity provider removed')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Remove the identity provider?"
      action="Remove provider"
      isOpen
      request={remove}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  )
}
