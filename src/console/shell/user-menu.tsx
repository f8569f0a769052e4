import { callConsole } from '../api/client.ts'
import { queryClient } from '../api/hooks.ts'
import type { Me } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { notifyTabs } from '../api/tabs.ts'
import { Icon } from '../components/icons.tsx'
import { Menu, type MenuItem } from '../components/menu.tsx'
import { showToast } from '../components/toast.tsx'
import { chooseTheme, theme } from './theme.ts'

/** Ends the session in every tab of this browser, and forgets what was loaded. */
async function signOut(): Promise<void> {
  try {
    await callConsole('POST', '/auth/logout')
  } catch (error) {
    showToast('You are still signed in', error instanceof Error ? error.message : undefined)
    return
  }
  notifyTabs({ type: 'signed_out' })
  queryClient.clear()
  location.reload()
}

export function UserMenu({ me, items = [] }: { me: Me; items?: readonly MenuItem[] }) {
  const current = useStore(theme)
  return (
    <Menu
      className="icon-button"
      label={`Signed in: ${me.name}`}
      trigger={<Icon name="user" />}
      items={[
        ...items,
        {
          label: 'Theme: as the system',
          icon: 'monitor',
          isCurrent: current === 'system',
          onSelect: () => chooseTheme('system'),
        },
        {
          label: 'Theme: light',
          icon: 'sun',
          isCurrent: current === 'light',
          onSelect: () => chooseTheme('light'),
        },
        {
          label: 'Theme: dark',
          icon: 'moon',
          isCurrent: current === 'dark',
          onSelect: () => chooseTheme('dark'),
        },
        { label: 'Sign out', icon: 'logout', onSelect: () => void signOut() },
      ]}
    />
  )
}
