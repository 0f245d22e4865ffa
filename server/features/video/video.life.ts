import { row, text } from '../../kit/row.ts'
import { follows, foreseen, type SiteLife } from '../../kit/site-life.ts'

/** With its end a site is somebody's home: nobody looks through its cameras, and what they see is not taken. */
export const videoLife: SiteLife = {
  ...follows('video_views'),
  ending: {
    async foresee(tx, call, site) {
      const { rows } = await tx.query(
        'video.cameras',
        row({ sn: text }),
        `SELECT d.sn FROM devices d
         WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.type = 'camera' AND d.deleted_at IS NULL
         ORDER BY d.sn`,
        [call.user.tenant, site.id],
      )
      const sns = rows.map((r) => r.sn).join('、')
      return foreseen([rows.length > 0 && `摄像头从此刻起不再看，画面和事件不再接收：${sns}`])
    },
    // Nothing is kept of it: whoever looks, and what devices tell, is asked of the site each time.
    end: async () => {},
  },
}
