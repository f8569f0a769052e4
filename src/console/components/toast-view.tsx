import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { useStore } from '../api/store.ts'
import { IconButton } from './button.tsx'
import { notices } from './toast.tsx'

/** Number of notices that were shown. */
let displayed = 0

/** Shows notices for some seconds, and screen readers announce them. */
export const ToastView = () => (
  <Toast.Provider>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <ToastList />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

function ToastList() {
  const { toasts, close, add } = Toast.useToastManager()
  const all = useStore(notices)
  useEffect(() => {
    for (const notice of all.slice(displayed)) add(notice)
    displayed = all.length
  }, [all, add])
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <div>
        <Toast.Title className="toast-title" />
        <Toast.Description className="hint" />
      </div>
      <IconButton icon="close" label="Dismiss" onClick={() => close(toast.id)} />
    </Toast.Root>
  ))
}
