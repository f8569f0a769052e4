import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ConnectedAccount, refreshConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { may, useApiMutation, useMe } from '../../api/index.ts'
import { useToolkitNames } from '../../components/use-toolkit-names.ts'
import {
  Button,
  ConfirmDialog,
  CopyButton,
  Dialog,
  FormError,
  Menu,
  RestrictedForms,
  showToast,
} from '../../components/index.ts'

const CHANGED = ['/connected_accounts', '/users', '/trigger_instances']

/** What a person may do with an account: reconnect, disable, revoke, delete. */
export function AccountActions({ account }: { account: ConnectedAccount }) {
  const me = useMe()
  const [question, setQuestion] = useState<'revoke' | 'delete'>()
  const path = `/connected_accounts/${account.id}`
  const reconnect = useReconnect(path)
  const enable = useApiMutation<boolean>(
    (enabled) => ({ method: 'PATCH', path: `${path}/status`, body: { enabled } }),
    {
      invalidates: CHANGED,
      onSuccess: (_, enabled) => showToast(enabled ? 'Account enabled' : 'Account disabled'),
    },
  )
  const isAllowed = may(me.data, 'connected_accounts:write')
  const isDisabled = account.status === 'INACTIVE'
  const canToggle = isDisabled || account.status === 'ACTIVE'
  return (
    <>
      {isAllowed && (
        <>
          <Button icon="refresh" isBusy={reconnect.isPending} onClick={() => reconnect.mutate()}>
            Reconnect
          </Button>
          <Menu
            trigger="More"
            label="More actions"
            items={[
              ...(canToggle
                ? [{ label: isDisabled ? 'Enable' : 'Disable', onSelect: () => enable.mutate(isDisabled) }]
                : []),
              ...(account.status === 'ACTIVE'
                ? [
                    {
                      label: 'Revoke at the provider…',
                      isDanger: true,
                      onSelect: () => setQuestion('revoke'),
                    },
                  ]
                : []),
              { label: 'Delete…', isDanger: true, onSelect: () => setQuestion('delete') },
            ]}
          />
        </>
      )}
      <FormError failure={enable.error} />
      <ReconnectDialog reconnect={reconnect} />
      <RestrictedForms isAllowed={isAllowed}>
        <EndDialogs account={account} question={question} onClose={() => setQuestion(undefined)} />
      </RestrictedForms>
    </>
  )
}

type Reconnected = ReplyOf<typeof refreshConnectedAccount>

const useReconnect = (path: string) =>
  useApiMutation<void, Reconnected>(() => ({ method: 'POST', path: `${path}/refresh`, body: {} }), {
    invalidates: CHANGED,
    onSuccess: ({ redirect_url: url }) => {
      if (!url) showToast('The credentials were refreshed')
    },
  })

/** The page on which the user signs in again: only the user can, so the link is sent to the user. */
function ReconnectDialog({ reconnect }: { reconnect: ReturnType<typeof useReconnect> }) {
  const url = reconnect.data?.redirect_url
  return (
    <Dialog
      title={reconnect.error ? 'The account cannot be reconnected' : 'Send this link to the user'}
      isOpen={Boolean(url) || reconnect.error !== null}
      onClose={() => reconnect.reset()}
    >
      <FormError failure={reconnect.error} />
      {url && (
        <>
          <p>The user signs in again at the application. The account keeps its id and its triggers.</p>
          <p>
            <a href={url} target="_blank" rel="noreferrer">
              {url}
            </a>
          </p>
          <CopyButton text={url} label="Copy the link" />
        </>
      )}
    </Dialog>
  )
}

interface EndProps {
  account: ConnectedAccount
  question: 'revoke' | 'delete' | undefined
  onClose(): void
}

function EndDialogs({ account, question, onClose }: EndProps) {
  const [, navigate] = useLocation()
  const name = useToolkitNames([account.toolkit.slug])(account.toolkit.slug)
  const path = `/connected_accounts/${account.id}`
  const revoke = useApiMutation<void>(() => ({ method: 'POST', path: `${path}/revoke` }), {
    invalidates: CHANGED,
    onSuccess: () => {
      onClose()
      showToast('The access was revoked')
    },
  })
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path, query: { revoke_on_delete: true } }), {
    onSuccess: () => {
      showToast('The account was deleted')
      navigate('/accounts')
    },
  })
  return (
    <>
      <ConfirmDialog
        title="Revoke the access"
        action="Revoke"
        isOpen={question === 'revoke'}
        request={revoke}
        onClose={onClose}
      >
        <p>{name} ends the access of this account. Tools and triggers stop until the user connects again.</p>
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete the account"
        action="Delete account"
        isOpen={question === 'delete'}
        request={remove}
        onClose={onClose}
      >
        <p>
          The account and its triggers are deleted, and its access is revoked at {name}. This cannot be
          undone.
        </p>
      </ConfirmDialog>
    </>
  )
}
