import { Toast } from '@base-ui/react/toast'
import { IconButton } from './button.tsx'

const manager = Toast.createToastManager()

/** Reports the result of an action that leaves the page as it is. Errors of forms belong into the form. */
export const showToast = (title: string, description?: string): void => {
  manager.add({ title, ...(description !== undefined && { description }) })
}

export const Toasts = () => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <ToastList />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

function ToastList() {
  const { toasts, close } = Toast.useToastManager()
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
