import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface Tab {
  id: string
  label: ReactNode
  content: ReactNode
}

interface TabsProps {
  label: string
  tabs: readonly Tab[]
  /** With `value`, the caller controls which tab is open, for example from the URL. */
  value?: string
  onChange?(id: string): void
}

export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => (
  <BaseTabs.Root
    {...(value === undefined ? { defaultValue: tabs[0]?.id } : { value })}
    onValueChange={(id) => onChange?.(String(id))}
  >
    <BaseTabs.List className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <BaseTabs.Tab key={tab.id} value={tab.id} className="tab">
          {tab.label}
        </BaseTabs.Tab>
      ))}
    </BaseTabs.List>
    {tabs.map((tab) => (
      <BaseTabs.Panel key={tab.id} value={tab.id} className="tab-panel">
        {tab.content}
      </BaseTabs.Panel>
    ))}
  </BaseTabs.Root>
)
