import { Combobox as BaseCombobox } from '@base-ui/react/combobox'
import { useId } from 'react'
import type { Option, SelectProps } from './select.tsx'

interface ComboboxProps extends SelectProps {
  /** Called with what is typed, for lists that the server filters. Without it, the options are filtered here. */
  onSearch?(text: string): void
}

/** A choice of many options, found by typing. */
export function Combobox({
  label,
  options,
  value,
  onChange,
  onSearch,
  placeholder = 'Search…',
}: ComboboxProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <BaseCombobox.Root
        items={options as Option[]}
        value={options.find((option) => option.value === value) ?? null}
        onValueChange={(next) => {
          if (next) onChange(next.value)
        }}
        isItemEqualToValue={(one, other) => one.value === other.value}
        itemToStringLabel={(option) => option.label}
        {...(onSearch && { filter: null, onInputValueChange: onSearch })}
      >
        <BaseCombobox.Input id={id} className="input" placeholder={placeholder} />
        <BaseCombobox.Portal>
          <BaseCombobox.Positioner className="positioner" sideOffset={4}>
            <BaseCombobox.Popup className="popup">
              <BaseCombobox.Empty className="popup-empty">Nothing found</BaseCombobox.Empty>
              <BaseCombobox.List>
                {(option: Option) => (
                  <BaseCombobox.Item key={option.value} value={option} className="option">
                    <span>{option.label}</span>
                    {option.hint && <span className="hint">{option.hint}</span>}
                  </BaseCombobox.Item>
                )}
              </BaseCombobox.List>
            </BaseCombobox.Popup>
          </BaseCombobox.Positioner>
        </BaseCombobox.Portal>
      </BaseCombobox.Root>
    </div>
  )
}
