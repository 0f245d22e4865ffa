type Toast = { success(text: string): void; error(text: string): void; info(text: string): void }
interface Notices {
  message: Toast
  notification(title: string, text: string): void
}
const silent: Notices = { message: { success() {}, error() {}, info() {} }, notification() {} }
let now = silent

/** The application gives its message holder once it is mounted; everything else just speaks. */
export const setNotices = (n: Notices) => (now = n)
export const message: Toast = { success: (t) => now.message.success(t), error: (t) => now.message.error(t), info: (t) => now.message.info(t) }
export const notification = (title: string, text: string) => now.notification(title, text)
