// The package has no types. These are the parts that this feature uses.
declare module 'nodemailer' {
  interface Transporter {
    sendMail(message: {
      from: string
      to: readonly string[]
      subject: string
      text: string
    }): Promise<unknown>
    close(): void
  }
  export function createTransport(
    url: string,
    defaults?: {
      connectionTimeout?: number
      greetingTimeout?: number
      socketTimeout?: number
      disableFileAccess?: boolean
      disableUrlAccess?: boolean
    },
  ): Transporter
}
