import { Drawer, Radio, Switch } from 'antd'

import { type Preferences, setPreferences, usePreferences } from '../../kit/preferences.ts'

export default function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const p = usePreferences()
  const line = (key: 'dark' | 'tags' | 'fixedHeader', label: string) => (
    <label className="setting">
      <span>{label}</span>
      <Switch checked={p[key]} onChange={(on) => setPreferences({ [key]: on })} aria-label={label} />
    </label>
  )
  return (
    <Drawer open title="界面设置" size={320} onClose={onClose}>
      {line('dark', '深色主题')}
      {line('tags', '显示页签')}
      {line('fixedHeader', '固定顶栏')}
      <div className="setting">
        <span>控件大小</span>
        <Radio.Group
          value={p.size}
          onChange={(e) => setPreferences({ size: e.target.value as Preferences['size'] })}
          options={[
            { value: 'small', label: '小' },
            { value: 'medium', label: '中' },
            { value: 'large', label: '大' },
          ]}
          optionType="button"
        />
      </div>
    </Drawer>
  )
}
