package git

import "golang.org/x/sys/windows"

// isOwn reports whether a file belongs to the user, or to the administrators if the user is one of them.
func isOwn(name string) bool {
	security, err := windows.GetNamedSecurityInfo(name, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	owner, _, err := security.Owner()
	if err != nil {
		return false
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return false
	}
	if owner.Equals(user.User.Sid) {
		return true
	}
	member, err := windows.GetCurrentProcessToken().IsMember(owner)
	return err == nil && member && owner.IsWellKnown(windows.WinBuiltinAdministratorsSid)
}
