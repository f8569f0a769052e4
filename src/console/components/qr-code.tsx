import { encode } from 'uqr'

/** Empty modules around the code, so that cameras find its corners. */
const BORDER = 2

/** A text as a QR code, for a device with a camera. The same text must be readable next to it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: BORDER })
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={modules.join('')} />
    </svg>
  )
}
