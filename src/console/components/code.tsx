import { useState } from 'react'
import { Button } from './button.tsx'

const COPIED_MS = 2_000

/** A button that copies a text, and says so. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const copy = async () => {
    // The clipboard needs https or localhost; elsewhere the text can be selected.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setState(isCopied ? 'copied' : 'failed')
    setTimeout(() => setState('ready'), COPIED_MS)
  }
  return (
    <Button isSmall icon={state === 'copied' ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Select the text to copy it' : label}
      </span>
    </Button>
  )
}

interface CodeBlockProps {
  code: string
  label?: string
  /** The name for screen readers, where several blocks of a page have the same label. */
  name?: string
}

/** A block of code with a button that copies it. */
export const CodeBlock = ({ code, label = 'Code', name = label }: CodeBlockProps) => (
  <figure className="code-block">
    <figcaption>
      <span className="hint">{label}</span>
      <CopyButton text={code} />
    </figcaption>
    <pre tabIndex={0} role="region" aria-label={name}>
      <code>{code}</code>
    </pre>
  </figure>
)

/** A value as formatted JSON. */
export const JsonView = ({ value, label = 'JSON' }: { value: unknown; label?: string }) => (
  <CodeBlock label={label} code={JSON.stringify(value, null, 2) ?? 'undefined'} />
)
