/** What one tab of the browser reports to the others. */
export type TabMessage =
  | { type: 'signed_out' }
  | { type: 'signed_in' }
  /** Something was changed with the API, below one of the paths. */
  | { type: 'changed'; project: string | undefined; paths: readonly string[] }

const channel = new BroadcastChannel('patchbay.console')

/** Reports to the other tabs. */
export const notifyTabs = (message: TabMessage): void => channel.postMessage(message)

/** Calls `receive` with what other tabs report. Returns a function that stops. */
export function onTabMessage(receive: (message: TabMessage) => void): () => void {
  const listener = ({ data }: MessageEvent<TabMessage>) => receive(data)
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
