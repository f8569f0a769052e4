import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

export interface MenuItem {
  label: string
  icon?: IconName
  isDanger?: boolean
  isDisabled?: boolean
  /** Shows a check mark for the current choice. */
  isCurrent?: boolean
  onSelect(): void
}

interface MenuProps {
  /** Content of the button. */
  trigger: ReactNode
  /** Name of the button if its content is no text. */
  label?: string
  className?: string
  items: readonly MenuItem[]
}

export const Menu = ({ trigger, label, className = 'button plain', items }: MenuProps) => (
  <BaseMenu.Root>
    <BaseMenu.Trigger className={className} aria-label={label}>
      {trigger}
    </BaseMenu.Trigger>
    <BaseMenu.Portal>
      <BaseMenu.Positioner className="positioner" sideOffset={4} align="start">
        <BaseMenu.Popup className="popup">
          {items.map(({ label: text, icon, isDanger, isDisabled, isCurrent, onSelect }) => (
            <BaseMenu.Item
              key={text}
              className={isDanger ? 'option danger-text' : 'option'}
              disabled={isDisabled ?? false}
              onClick={onSelect}
            >
              {icon && <Icon name={icon} />}
              <span>{text}</span>
              {isCurrent && (
                <>
                  <Icon name="check" />
                  <span className="visually-hidden">(current)</span>
                </>
              )}
            </BaseMenu.Item>
          ))}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
)
